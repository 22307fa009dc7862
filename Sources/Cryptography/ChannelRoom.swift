internal import COpenSSL

/// Room that the channels of one thread share while one of them works, so that an idle one needs none
/// of its own: what came, and what is to be sent.
///
/// It stands where OpenSSL expects the socket.
@safe package final class ChannelRoom {
  /// The most that a channel is given at once, in bytes.
  package static let inputBytesMax = 65_536
  static let recordBytesMax = 16_384
  /// Room that a large write needed is given back above this.
  private static let outputBytesKept = 1 << 20

  /// What came and OpenSSL hasn't taken yet; borrowed from whoever calls `SecureChannel.receive`.
  var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  /// Encrypted, to be sent.
  var output: [UInt8] = []
  /// Decrypted. Holds what was given at once and, with the part of a record that had come before, all
  /// that can become of it.
  let plaintext: UnsafeMutableRawBufferPointer
  var plaintextCount = 0
  /// Gathers what is to be encrypted, so that many short lines make few records.
  let record: UnsafeMutableRawBufferPointer
  var recordCount = 0

  package init() {
    unsafe plaintext = .allocate(
      byteCount: Self.inputBytesMax + 2 * Self.recordBytesMax, alignment: 16)
    unsafe record = .allocate(byteCount: Self.recordBytesMax, alignment: 16)
    output.reserveCapacity(Self.recordBytesMax)
  }

  deinit {
    unsafe plaintext.deallocate()
    unsafe record.deallocate()
  }

  /// Takes the memory of an earlier `output` for the next.
  func takeBack(_ sent: consuming [UInt8]) {
    guard sent.capacity <= Self.outputBytesKept else { return }
    sent.removeAll(keepingCapacity: true)
    output = sent
  }

  // MARK: As OpenSSL sees it

  /// A BIO that reads from `input` and writes to `output`. It doesn't keep the room alive.
  func makeBIO() -> OpaquePointer {
    guard let bio = unsafe BIO_new(Self.method) else {
      preconditionFailure("OpenSSL has no memory left")
    }
    unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    return unsafe bio
  }

  // Unsafe only by type: it is made once, and OpenSSL only reads it afterwards, on whatever thread.
  private nonisolated(unsafe) static let method: OpaquePointer = {
    let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
    let method = unsafe BIO_meth_new(kind, "room")!
    unsafe BIO_meth_set_create(method) { bio in
      unsafe BIO_set_init(bio, 1)
      return 1
    }
    unsafe BIO_meth_set_read(method) { bio, target, count in
      unsafe ChannelRoom.of(bio!).read(into: target!, atMost: Int(count), for: bio!)
    }
    unsafe BIO_meth_set_write(method) { bio, bytes, count in
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
      unsafe ChannelRoom.of(bio!).output.append(contentsOf: bytes)
      return count
    }
    // Nothing has to be flushed, and nothing else that is asked for is there.
    unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return unsafe method
  }()

  private static func of(_ bio: OpaquePointer) -> ChannelRoom {
    unsafe Unmanaged<ChannelRoom>.fromOpaque(BIO_get_data(bio)).takeUnretainedValue()
  }

  private func read(
    into target: UnsafeMutablePointer<CChar>, atMost room: Int, for bio: OpaquePointer
  ) -> CInt {
    let count = unsafe min(room, input.count)
    guard count > 0 else {
      unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
      return -1
    }
    unsafe BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    unsafe UnsafeMutableRawPointer(target).copyMemory(from: input.baseAddress!, byteCount: count)
    unsafe input = UnsafeRawBufferPointer(rebasing: input[count...])
    return CInt(count)
  }
}
