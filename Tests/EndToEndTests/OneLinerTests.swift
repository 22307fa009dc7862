import TestSupport
import Testing

/// What people type. Each must print what it should and come to an end by itself.
@Suite("One-liners")
struct OneLinerTests {
  static let clients = [
    "nc -N 127.0.0.1 $PORT", "nc -q 1 127.0.0.1 $PORT", "nc -N -U $SOCKET", "nc -q 1 -U $SOCKET",
    "ncat 127.0.0.1 $PORT", "ncat -U $SOCKET", "socat - TCP:127.0.0.1:$PORT",
    "socat -t 60 - UNIX-CONNECT:$SOCKET", "socat -t 60 STDIO TCP4:127.0.0.1:$PORT",
  ]

  @Test("a request piped into a client is answered, and the client ends", arguments: clients)
  func answered(client: String) throws {
    let daemon = try Installation().start()
    let result = try daemon.type(#"echo '{"op":"ping","ref":7}' | \#(client)"#)
    #expect(result.status == 0)
    let lines = try result.lines.map { try JSONLine($0) }
    #expect(lines.map { $0.event ?? $0["ok"]?.string } == ["welcome", "ping", "bye"])
    #expect(lines.contains { $0["ref"]?.integer == 7 })
  }

  @Test("a snapshot can be taken with any client", arguments: clients)
  func snapshot(client: String) throws {
    let daemon = try Installation().start()
    let publisher = try daemon.publisher()
    for id in ["a", "b"] {
      _ = try publisher.order(
        #"{"op":"start","id":"\#(id)","attributes-type":"T","content-state":1}"#)
    }
    let result = try daemon.type(
      #"printf '%s\n' '{"op":"subscribe","all":true}' '{"op":"quit"}' | \#(client)"#)
    #expect(result.status == 0)
    let lines = try result.lines.map { try JSONLine($0) }
    #expect(
      lines.map { $0.event ?? $0["ok"]?.string }
        == ["welcome", "subscribe", "start", "start", "synced", "quit", "bye"])
  }

  @Test("a follower piped into netcat hears everything until it is killed")
  func following() throws {
    let daemon = try Installation().start()
    let publisher = try daemon.publisher()
    _ = try publisher.order(#"{"op":"start","id":"a","attributes-type":"T","content-state":1}"#)
    let result = try daemon.type(
      """
      { echo '{"op":"subscribe","ids":["a"]}' | nc -N 127.0.0.1 $PORT; } |
      while read -r line; do
        case $line in
          *synced*) echo '{"op":"update","id":"a","content-state":2}' | nc -N -U $SOCKET >&2 ;;
          *'"event":"update"'*) echo "$line"; exit 0 ;;
        esac
      done
      """)
    #expect(try JSONLine(result.lines.first ?? "")["content-state"]?.integer == 2)
  }

  @Test("bash alone is a client")
  func bash() throws {
    let daemon = try Installation().start()
    let result = try daemon.type(
      """
      exec 3<>/dev/tcp/127.0.0.1/$PORT
      read -r welcome <&3
      echo '{"op":"ping","ref":"b"}' >&3
      read -r answer <&3
      echo "$answer"
      """)
    #expect(result.status == 0)
    #expect(try JSONLine(result.lines.first ?? "")["ref"]?.string == "b")
  }

  @Test("a file of requests written with Windows' line ends and blank lines is obeyed")
  func windowsLineEnds() throws {
    let daemon = try Installation().start()
    let result = try daemon.type(
      #"printf '\r\n{"op":"ping","ref":1}\r\n  \r\n\n{"op":"ping","ref":2}' | nc -N -U $SOCKET"#)
    let lines = try result.lines.map { try JSONLine($0) }
    #expect(lines.compactMap { $0["ref"]?.integer } == [1, 2])
    #expect(!lines.contains { $0["error"] != nil })
  }
}
