internal import CFuzzer
internal import Glibc

// Fuzz FUZZER [OPTIONS OF LIBFUZZER] [CORPUS…]: see .ci/fuzz.

/// What is fuzzed, each by a function that takes an input and traps if it finds something wrong.
let fuzzers: [String: @Sendable ([UInt8]) -> Void] = [
  "framer": fuzzFramer, "lines": fuzzLines, "keys": fuzzKeys, "push": fuzzPush,
  "configuration": fuzzConfiguration, "rows": fuzzRows,
]

guard let name = CommandLine.arguments.dropFirst().first, let fuzzer = fuzzers[name] else {
  print("Fuzz \(fuzzers.keys.sorted().joined(separator: "|")) [OPTION…] [CORPUS…]")
  exit(64)
}

/// The one that was chosen. C calls back without a context.
let chosen = fuzzer

/// Under this name libFuzzer's own main, which isn't used, wants it.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe chosen(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

// libFuzzer is given the rest of the command line.
var count = CommandLine.argc - 1
var arguments = unsafe Optional(CommandLine.unsafeArgv + 1)
unsafe arguments![0] = CommandLine.unsafeArgv[0]
exit(unsafe LLVMFuzzerRunDriver(&count, &arguments) { unsafe fuzzOneInput($0, $1) })
