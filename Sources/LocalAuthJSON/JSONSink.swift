/// Where a ``JSONWriter`` puts its bytes.
public protocol JSONSink: ~Copyable {
  /// Whether the bytes stay where they were put, so that a secret among them can be wiped.
  var isFixed: Bool { get }
  /// Takes one byte; false when there is no room.
  mutating func append(_ byte: UInt8) -> Bool
  /// Takes all the bytes, or none of them and returns false when there is no room.
  mutating func append(_ bytes: Span<UInt8>) -> Bool
}

/// Bytes that grow: for everything that is not secret.
public struct JSONGrowingBuffer: JSONSink, ~Copyable {
  /// It moves whenever it grows.
  @inlinable
  public var isFixed: Bool { false }

  @usableFromInline var bytes: [UInt8]

  /// Appends to `bytes`, which keeps its capacity if the caller gives up its own reference.
  @inlinable
  public init(appendingTo bytes: consuming [UInt8]) { self.bytes = bytes }

  /// Takes one byte; there is always room.
  @inlinable
  public mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }

  /// Takes all the bytes; there is always room.
  @inlinable
  public mutating func append(_ bytes: Span<UInt8>) -> Bool {
    // SAFETY: the span keeps the bytes in place during the call.
    unsafe bytes.withUnsafeBufferPointer { unsafe self.bytes.append(contentsOf: $0) }
    return true
  }
}

/// Memory of the caller, which never moves: for a text that holds a secret.
@safe
public struct JSONFixedBuffer: JSONSink, ~Copyable {
  /// It never moves.
  @inlinable
  public var isFixed: Bool { true }

  @usableFromInline let memory: UnsafeMutableRawBufferPointer
  /// How many bytes have been written.
  public private(set) var count = 0

  /// Writes to `memory`, which must stay in place while the buffer exists.
  @unsafe
  public init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

  /// Takes one byte; false when there is no room.
  public mutating func append(_ byte: UInt8) -> Bool {
    guard unsafe count < memory.count else { return false }
    // SAFETY: `count` was just checked.
    unsafe memory[count] = byte
    count += 1
    return true
  }

  /// Takes all the bytes, or none of them and returns false when there is no room.
  public mutating func append(_ bytes: Span<UInt8>) -> Bool {
    guard unsafe bytes.count <= memory.count - count else { return false }
    let (memory, start) = unsafe (self.memory, count)
    // SAFETY: there is room for all of them, and both sides stay in place during the call.
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyMemory(from: source)
    }
    count += bytes.count
    return true
  }
}
