import ActivityCore
import Testing

@Suite("Digests")
struct DigestTests {
  private func digest(_ parts: [String]) -> Digest {
    var digest = Digest()
    for part in parts { digest.add(part) }
    return digest
  }

  @Test("nothing has the offset basis of FNV-1a")
  func empty() {
    #expect(Digest().value == 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
  }

  @Test("one byte is folded in as FNV-1a says, then the separator")
  func oneByte() {
    // The published digest of "a", to which the separator is added.
    let published: UInt128 = 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964
    let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b
    #expect(digest(["a"]).value == (published ^ 0xff) &* prime)
  }

  @Test("where one part ends matters, and so does their order")
  func parts() {
    let different = [["ab", "c"], ["a", "bc"], ["abc"], ["c", "ab"], ["abc", ""], ["", "abc"]]
    #expect(Set(different.map(digest)).count == different.count)
    #expect(digest(["ab", "c"]) == digest(["ab", "c"]))
  }

  @Test("an interest's digest depends on its sets alone")
  func interests() {
    func digest(_ change: (inout Interest) -> Void) -> Digest {
      var interest = Interest()
      change(&interest)
      var digest = Digest()
      interest.add(to: &digest)
      return digest
    }
    let names = (0..<50).map { Name("n\($0)") }
    #expect(
      digest { $0.channels = Set(names) } == digest { $0.channels = Set(names.reversed()) })
    let different = [
      digest { $0.channels = ["a"] }, digest { $0.ids = ["a"] }, digest { $0.types = ["a"] },
      digest { $0.all = true }, digest { _ in }, digest { $0.channels = ["a", "b"] },
    ]
    #expect(Set(different).count == different.count)
  }
}
