import Simulation
import Testing

@Suite("A planted fault")
struct CanaryTests {
  @Test("is noticed by the guarantee that it breaks", arguments: Canary.all)
  func isNoticed(canary: Canary) throws {
    #expect(try canary.isNoticed())
  }

  @Test("is there for each guarantee")
  func covers() {
    #expect(Set(Canary.all.map(\.guarantee)) == Set(guaranteeNames))
  }
}
