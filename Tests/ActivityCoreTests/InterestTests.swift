import ActivityCore
import Testing

@Suite("Interests")
struct InterestTests {
  private let ride: Activity = {
    var activity = Activity(
      id: "ride", attributesType: "Ride", contentState: json("0"), watermark: at(0),
      startDate: at(0), lifetime: .hours(8))
    activity.channels = ["a", "b"]
    return activity
  }()

  @Test("any set that holds it is enough")
  func holds() {
    var interest = Interest()
    #expect(!interest.holds(ride) && interest.isEmpty)
    interest.channels = ["x", "b"]
    #expect(interest.holds(ride))
    interest = Interest()
    interest.ids = ["ride"]
    #expect(interest.holds(ride))
    interest = Interest()
    interest.types = ["Ride"]
    #expect(interest.holds(ride))
    interest.types = ["Match"]
    #expect(!interest.holds(ride) && !interest.isEmpty)
    interest.all = true
    #expect(interest.holds(ride))
  }

  @Test("what is removed is what was added")
  func addAndRemove() {
    var interest = Interest()
    interest.channels = ["a"]
    var more = Interest()
    more.channels = ["b"]
    more.ids = ["i"]
    more.all = true
    interest.add(more)
    #expect(interest.keyCount == 3 && interest.all)
    interest.remove(more)
    #expect(interest.channels == ["a"] && interest.ids.isEmpty && !interest.all)
  }

  @Test("a name that only looks the same is another one")
  func sameLooks() {
    let (one, two) = (Name("caf\u{e9}"), Name("cafe\u{301}"))
    #expect(one.text == two.text && one != two)
    #expect(Set([one, two]).count == 2)
    #expect(two < one && !(one < two))
  }
}
