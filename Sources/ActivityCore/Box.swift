/// A value that copies share: copying a box counts one reference, however large the value is and
/// whatever it holds. Changing it makes a new one.
struct Box<Value: Equatable & Sendable>: Equatable, Sendable {
  private final class Storage: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  init(_ value: consuming Value) { storage = Storage(consume value) }

  var value: Value {
    get { storage.value }
    set { storage = Storage(newValue) }
  }

  static func == (left: Box, right: Box) -> Bool {
    left.storage === right.storage || left.value == right.value
  }
}
