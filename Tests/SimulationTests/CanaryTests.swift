import Simulation
import Testing

@Suite("A planted fault")
struct CanaryTests {
  @Test(
    "is noticed by the guarantee that it breaks, which says where and how to see it again",
    arguments: Canary.all)
  func isNoticed(canary: Canary) throws {
    let failure = try #require(try canary.notice())
    #expect(
      "\(failure)".hasPrefix(
        "seed \(failure.seed), step \(failure.step): \(canary.guarantee): "))
    #expect("\(failure)".hasSuffix("\nTo see it again: .ci/simulate 1000 \(failure.seed)"))
  }

  @Test("is there for each guarantee")
  func covers() {
    #expect(Set(Canary.all.map(\.guarantee)) == Set(guaranteeNames))
  }
}
