/// Bytes that grow at their end, in memory of their own.
///
/// For what is put together of many small pieces: an array asks with each of them whether it is
/// shared, and costs several times as much. Nothing is allocated before the first byte.
@safe package struct ByteBuffer: ~Copyable {
  // Of `capacity` bytes, of which the first `count` are initialized; null if there are none.
  private var memory: UnsafeMutableRawPointer?
  package private(set) var count = 0
  package private(set) var capacity = 0

  package init() { unsafe memory = nil }

  deinit { unsafe memory?.deallocate() }

  package var isEmpty: Bool { count == 0 }

  package var last: UInt8? {
    // There is memory if there is a byte, and the last one is below `count`.
    count == 0 ? nil : unsafe memory!.load(fromByteOffset: count - 1, as: UInt8.self)
  }

  /// Lends the bytes.
  package func withUnsafeBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// Forgets the bytes and keeps the memory.
  package mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    unsafe memory!.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    makeRoom(for: bytes.count)
    unsafe (memory! + count).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// Makes sure that so many more bytes can be appended without a further look.
  @inline(__always)
  private mutating func makeRoom(for more: Int) {
    if capacity &- count < more { grow(by: more) }
  }

  private mutating func grow(by more: Int) {
    capacity = max(count + more, 2 * capacity, 512)
    let new = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    if let old = unsafe memory {
      unsafe new.copyMemory(from: old, byteCount: count)
      unsafe old.deallocate()
    }
    unsafe memory = new
  }
}
