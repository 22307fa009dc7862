internal import ActivityClient

/// What a command is to see of all that is published.
enum Interest {
  static let options: [Option] = [
    Option("channel", .names("NAME"), "what is on this channel; may be repeated"),
    Option("id", .names("ID"), "this activity; may be repeated"),
    Option("type", .names("NAME"), "what is of this type; may be repeated"),
  ]

  /// Everything, unless something is named.
  static func subscription(_ arguments: Arguments) -> Subscription {
    var subscription = Subscription()
    subscription.channels = arguments.names("channel")
    subscription.ids = arguments.names("id")
    subscription.types = arguments.names("type")
    return subscription == Subscription() ? .everything : subscription
  }
}
