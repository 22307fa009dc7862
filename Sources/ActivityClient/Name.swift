/// Names that have to be unlike all others.
public enum Name {
  /// One that nobody has made up before.
  public static func makeUp() -> String {
    let halves = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
    return halves.map { String($0, radix: 36) }.joined()
  }
}
