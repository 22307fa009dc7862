package import ActivityCore

/// One line of a client, understood: its form is right, and every limit on form is kept.
package struct Request: Equatable, Sendable {
  /// What is asked.
  package enum Body: Equatable, Sendable {
    case hello(Hello)
    case write(Write)
    case get(id: String, delivery: Bool)
    case list(List)
    case subscribe(Subscribe)
    case unsubscribe(Unsubscribe)
    case dismiss(id: String, everywhere: Bool)
    case action(Action)
    case ping
    case help(HelpTopic?)
    case quit
    case stats
    case clients
    /// Nil: no more.
    case monitor(MonitorFilter?)
    /// Nil: under a name made up for it.
    case backup(path: String?)
    case tokenAdd(TokenAdd)
    case tokenList
    case tokenRevoke(name: String)
  }

  package var operation: Operation
  package var body: Body
  /// A JSON string or number, to be echoed as it is.
  package var ref: JSONText?
  /// Nil: as `hello` set it.
  package var reply: Reply?
  package var idempotency: Idempotency?
}

/// Which answers a sender wants to its writes.
package enum Reply: String, CaseIterable, Sendable {
  case all, errors
}

/// What makes a request recognisable when it is sent again.
package struct Idempotency: Equatable, Sendable {
  package var key: String
  /// Of the request's bytes but for `ref`.
  package var request: Digest
}

/// A command on one activity: a `start`, `update`, `end` or `cancel`, or what a `push` stands for.
package struct Write: Equatable, Sendable {
  /// Nil only in a `start`: one is to be made up.
  package var id: String?
  package var command: Command
  /// The keys that have no effect, in the order of their appearance.
  package var ignored: [String] = []

  package init(id: String?, command: Command) {
    self.id = id
    self.command = command
  }
}

/// How a session is served.
package struct Settings: Equatable, Sendable {
  /// In seconds; 0: never.
  package var keepalive: Int64 = 0
  /// The least time between two updates of one activity.
  package var interval = TimeSpan.seconds(0)
  package var updatesPerHour: Int64?
  package var activitiesEnabled = true
  package var surface = Surface.private
  package var reply = Reply.all

  package init() {}

  /// Takes over what a `hello` names.
  package mutating func apply(_ hello: Hello) {
    if let keepalive = hello.keepalive { self.keepalive = keepalive }
    if let interval = hello.interval { self.interval = interval }
    if let updatesPerHour = hello.updatesPerHour { self.updatesPerHour = updatesPerHour }
    if let isEnabled = hello.activitiesEnabled { activitiesEnabled = isEnabled }
    if let surface = hello.surface { self.surface = surface }
    if let reply = hello.reply { self.reply = reply }
  }
}

/// Who a device is, and what it changes of its settings.
package struct Hello: Equatable, Sendable {
  package var device: String?
  package var token: String?
  package var keepalive: Int64?
  package var interval: TimeSpan?
  package var updatesPerHour: Int64?
  package var activitiesEnabled: Bool?
  package var surface: Surface?
  package var reply: Reply?
}

/// A question for activities.
package struct List: Equatable, Sendable {
  package var filter: ListFilter
  /// At most so many, 1 or more.
  package var limit: Int?
  /// Only those behind the activity of this id.
  package var after: String?
}

package struct Subscribe: Equatable, Sendable {
  package var interest: Interest
  /// Where an earlier session came to.
  package var since: Cursor?
  /// Whether actions and dismissals are wanted.
  package var feedback = false
  /// False: only the state, then goodbye.
  package var follow = true
}

package struct Unsubscribe: Equatable, Sendable {
  package var interest: Interest
  /// Whether actions and dismissals aren't wanted any more.
  package var feedback = false
}

/// What a person did on a device, for the publishers.
package struct Action: Equatable, Sendable {
  package var id: String
  /// The sender's own name for this press, by which a repetition is known.
  package var actionID: String
  package var name: String
  package var payload: JSONText?
  package var ifVersion: Version?
}

/// Which requests an operator wants to be told of.
package struct MonitorFilter: Equatable, Sendable {
  /// Those that name an activity which one of these matches; nil: whatever they name.
  package var ids: [NamePattern]?
  package var refusedOnly = false

  package init() {}

  package func wants(id: String?, isRefused: Bool) -> Bool {
    guard isRefused || !refusedOnly else { return false }
    guard let ids else { return true }
    guard let id else { return false }
    return ids.match(id)
  }
}

/// A token that is asked for.
package struct TokenAdd: Equatable, Sendable {
  package var name: String
  package var role: Role
  package var reach = Reach()
  package var dismissesEverywhere = false
  package var surface: Surface?
  package var device: String?
  package var expires: Moment?
}

/// What `help` explains.
package enum HelpTopic: Equatable, Sendable {
  case operation(Operation)
  case limits
  case errors
}

/// A line that was refused for its form, with what could be read of it.
package struct RequestError: Error, Equatable, Sendable {
  package var refusal: Refusal
  /// The request's `op`, known or not.
  package var op: String?
  package var ref: JSONText?
  /// The activity that it names.
  package var id: String?
}
