import ActivityClient
import Testing

@Suite("Backoff") struct BackoffTests {
  @Test("waits double up to the longest, each between half of that and all of it")
  func growth() {
    var backoff = Backoff(shortest: .seconds(1), longest: .seconds(10))
    for ceiling in [1, 2, 4, 8, 10, 10] {
      let wait = backoff.next()
      #expect(.seconds(ceiling) / 2 <= wait && wait <= .seconds(ceiling))
    }
  }

  @Test("begins anew after a success")
  func reset() {
    var backoff = Backoff(shortest: .seconds(1), longest: .seconds(10))
    for _ in 0..<5 { _ = backoff.next() }
    backoff.reset()
    #expect(backoff.next() <= .seconds(1))
  }

  @Test("two that begin together don't stay together")
  func jitter() {
    var left = Backoff()
    var right = Backoff()
    let waits = (0..<8).map { _ in (left.next(), right.next()) }
    #expect(waits.contains { $0 != $1 })
  }
}
