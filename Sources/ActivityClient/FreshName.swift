/// Names that have to be unlike all others.
package enum FreshName {
  /// One that nobody has made up before.
  package static func make() -> String {
    let halves = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
    return halves.map { String($0, radix: 36) }.joined()
  }
}
