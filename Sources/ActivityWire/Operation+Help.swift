/// What `help` says about each operation.
extension Operation {
  /// One sentence.
  package var text: String {
    switch self {
    case .hello: "Names this device, gives its token, and sets how it wants to be served."
    case .start:
      "Makes an activity. It is live until its end or for its lifetime, 8 h unless it says less."
    case .update:
      "Replaces the content-state as a whole; without stale-date or stale-after the stale date is "
        + "cleared, all else that is left out is kept."
    case .end: "Ends an activity. Its last content stays shown until its dismissal."
    case .cancel: "Takes an activity away at once, and one that hasn't started for good."
    case .push: "Takes an APNs Live Activity payload as it is; its event says what it does."
    case .get: "Tells one activity, and with delivery how many devices have it."
    case .list: "Tells all activities that match every key given, a line each."
    case .subscribe: "Sends the state of what any of the keys selects, then every change of it."
    case .unsubscribe: "Takes something out of the subscription."
    case .dismiss: "This device is shown this activity no more; with everywhere, no device is."
    case .action: "Tells the publishers that listen with feedback what a person did."
    case .ping: "Asks for a sign of life: the time, the newest seq and a cursor."
    case .help: "Lists the operations; topic is one of them, limits or errors."
    case .quit: "Lets what came before finish, then closes the connection."
    case .stats: "Tells what the daemon holds and has done since it started."
    case .clients: "Tells who is connected and how far each is behind, a line each."
    case .monitor: "Tells each request of anybody and what came of it, a line each; off ends that."
    case .backup:
      "Copies the store to a new file of the daemon's machine while all goes on, and answers when "
        + "the copy is safe on disk."
    case .tokenAdd:
      "Makes a token. It is told once; channels and types limit what it reads and publishes, a * at "
        + "the end of one stands for whatever follows."
    case .tokenList: "Tells the tokens in force, a line each; never what to show for them."
    case .tokenRevoke: "Ends a token, and the sessions that it let in."
    }
  }

  /// A line to be typed.
  package var example: String {
    switch self {
    case .hello: #"{"op":"hello","device":"anas-phone","keepalive":30}"#
    case .start:
      #"{"op":"start","id":"order-1","attributes-type":"Delivery","#
        + #""content-state":{"status":"preparing"},"stale-after":600}"#
    case .update:
      #"{"op":"update","id":"order-1","content-state":{"status":"onTheWay"},"stale-after":600}"#
    case .end:
      #"{"op":"end","id":"order-1","content-state":{"status":"arrived"},"dismissal-after":60}"#
    case .cancel: #"{"op":"cancel","id":"order-1"}"#
    case .push:
      #"{"op":"push","id":"order-1","aps":{"event":"update","content-state":{"status":"near"}}}"#
    case .get: #"{"op":"get","id":"order-1","delivery":true}"#
    case .list: #"{"op":"list","types":["Delivery"],"limit":10}"#
    case .subscribe: #"{"op":"subscribe","channels":["match-1"]}"#
    case .unsubscribe: #"{"op":"unsubscribe","channels":["match-1"]}"#
    case .dismiss: #"{"op":"dismiss","id":"order-1"}"#
    case .action: #"{"op":"action","id":"order-1","action-id":"press-1","name":"confirm"}"#
    case .ping: #"{"op":"ping"}"#
    case .help: #"{"op":"help","topic":"start"}"#
    case .quit: #"{"op":"quit"}"#
    case .stats: #"{"op":"stats"}"#
    case .clients: #"{"op":"clients"}"#
    case .monitor: #"{"op":"monitor","ids":["order-*"],"errors":true}"#
    case .backup: #"{"op":"backup","path":"before-the-move.db"}"#
    case .tokenAdd:
      #"{"op":"token-add","name":"hall","role":"device","channels":["home:*"],"#
        + #""surface":"public"}"#
    case .tokenList: #"{"op":"token-list"}"#
    case .tokenRevoke: #"{"op":"token-revoke","name":"hall"}"#
    }
  }
}
