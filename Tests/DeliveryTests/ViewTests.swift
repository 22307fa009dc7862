import ActivityCore
import Testing

@testable import ActivityDaemon

@Suite("Views")
struct ViewTests {
  private static func interest(_ edit: (inout Interest) -> Void) -> Interest {
    var interest = Interest()
    edit(&interest)
    return interest
  }

  private static let activity = {
    var activity = Activity(
      id: "a", attributesType: "T", contentState: .emptyObject, watermark: Instant(seconds: 0),
      startDate: Instant(seconds: 0), lifetime: .hours(8))
    activity.channels = ["x", "y"]
    return activity
  }()

  @Test("are shared by those who want the same, however they said it")
  func sharing() {
    var views = Views()
    let one = views.view(of: Self.interest { $0.channels = ["x", "y"] })
    #expect(one === views.view(of: Self.interest { $0.channels = ["y", "x"] }))
    #expect(one !== views.view(of: Self.interest { $0.ids = ["x", "y"] }))
  }

  @Test("keep nobody in memory once the daemon's hub is gone")
  func going() throws {
    weak var session: Session?
    do {
      let scene = Scene()
      session = try scene.subscriber().session
    }
    #expect(session == nil)
  }

  @Test("are each found once, whatever of an activity they hold it by")
  func holding() {
    var views = Views()
    let wanted = [
      views.view(of: Self.interest { $0.channels = ["x", "y"] }),
      views.view(of: Self.interest { $0.ids = ["a", "b"] }),
      views.view(of: Self.interest { $0.types = ["T"] }),
      views.view(of: Self.interest { $0.all = true }),
      views.view(
        of: Self.interest {
          ($0.channels, $0.ids, $0.types, $0.all) = (["x"], ["a"], ["T"], true)
        }),
    ]
    _ = views.view(of: Self.interest { $0.channels = ["a", "T"] })
    let found = views.holding(Self.activity)
    #expect(found.count == wanted.count)
    for view in wanted { #expect(found.contains { $0 === view }) }
  }

  @Test("are forgotten when nobody has them")
  func forgetting() {
    var views = Views()
    let interest = Self.interest { ($0.channels, $0.all) = (["x"], true) }
    let view = views.view(of: interest)
    views.removeIfEmpty(view)
    #expect(views.holding(Self.activity).isEmpty)
    #expect(views.view(of: interest) !== view)
  }

  @Test("merge lines that lie behind one another")
  func lines() {
    let view = Views.viewForTest()
    view.append(0..<10)
    view.append(10..<15)
    view.append(20..<30)
    #expect(view.lines == [0..<15, 20..<30])
    view.removeLines()
    #expect(view.lines.isEmpty)
  }

  @Test("know their sessions, in step and others, after any of them has left")
  func sessions() {
    let scene = Scene()
    let clients = (0..<6).map { _ in scene.connect() }
    let view = Views.viewForTest()
    for (index, client) in clients.enumerated() {
      view.add(client.session, inStep: index.isMultiple(of: 2))
    }
    #expect(view.inStep.count == 3 && view.others.count == 3 && view.sessionCount == 6)
    view.remove(clients[0].session)
    view.remove(clients[1].session)
    view.remove(clients[4].session)
    #expect(view.inStep.map(\.number) == [clients[2].session.number])
    #expect(Set(view.others.map(\.number)) == Set([3, 5].map { clients[$0].session.number }))
    for index in [2, 3, 5] { view.remove(clients[index].session) }
    #expect(view.sessionCount == 0)
  }
}

extension Views {
  fileprivate static func viewForTest() -> View {
    var views = Views()
    return views.view(of: Interest())
  }
}
