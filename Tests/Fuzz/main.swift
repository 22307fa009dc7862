internal import CFuzzer
internal import Glibc

// FUZZER=lines Fuzz [OPTION OF LIBFUZZER…] [CORPUS…]: see .ci/fuzz.

/// What is fuzzed, each by a function that takes an input and traps if it finds something wrong.
let fuzzers: [String: @Sendable ([UInt8]) -> Void] = [
  "framer": fuzzFramer, "lines": fuzzLines, "keys": fuzzKeys, "push": fuzzPush,
  "configuration": fuzzConfiguration, "rows": fuzzRows,
]

// Not by the command line: libFuzzer starts itself anew with what it knows of that.
let name = unsafe getenv("FUZZER").map { unsafe String(cString: $0) }
guard let fuzzer = name.flatMap({ fuzzers[$0] }) else {
  print("FUZZER is one of \(fuzzers.keys.sorted().joined(separator: ", "))")
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

var count = CommandLine.argc
var arguments = unsafe Optional(CommandLine.unsafeArgv)
exit(unsafe LLVMFuzzerRunDriver(&count, &arguments) { unsafe fuzzOneInput($0, $1) })
