internal import Glibc

/// What the tests were built with to find faults of memory or threads.
package enum Sanitizer {
  /// Memory isn't to be measured then: what was freed is kept back, and more is needed.
  package static let isOn = unsafe getenv("ASAN_OPTIONS") != nil || getenv("TSAN_OPTIONS") != nil
}
