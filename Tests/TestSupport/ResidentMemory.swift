internal import Glibc

/// What a process keeps in memory, in bytes; nil for this one.
package func residentBytes(of processID: Int32? = nil) throws -> Int {
  let pages = try Files.read("/proc/\(processID.map { "\($0)" } ?? "self")/statm").split(
    separator: " ")
  guard pages.count > 1, let count = Int(pages[1]) else { throw TestFailure("\(pages)") }
  return count * sysconf(CInt(_SC_PAGESIZE))
}
