/// The destination of a ``JSONWriter``.
public protocol JSONSink: ~Copyable {
  /// Whether the bytes never move once written, so that a secret among them can be wiped.
  var isFixed: Bool { get }
  /// Appends one byte; false if there is no room.
  mutating func append(_ byte: UInt8) -> Bool
  /// Appends all the bytes; if there is no room, appends none and returns false.
  mutating func append(_ bytes: Span<UInt8>) -> Bool
  /// Expects so many bytes more, so that memory that grows does so once.
  mutating func reserve(_ count: Int)
}

extension JSONSink where Self: ~Copyable {
  /// Expects so many bytes more; nothing happens by default.
  public mutating func reserve(_ count: Int) {}
}

/// A buffer that grows, for text without secrets.
public struct JSONGrowingBuffer: JSONSink, ~Copyable {
  /// False, because the bytes move whenever the buffer grows.
  @inlinable
  public var isFixed: Bool { false }

  @usableFromInline var bytes: [UInt8]

  /// Appends to `bytes`, which keeps its capacity if the caller gives up its own reference.
  @inlinable
  public init(appendingTo bytes: consuming [UInt8]) { self.bytes = bytes }

  /// Appends one byte; there is always room.
  @inlinable
  public mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }

  /// Appends all the bytes; there is always room.
  @inlinable
  public mutating func append(_ bytes: Span<UInt8>) -> Bool {
    // SAFETY: the span keeps the bytes in place during the call.
    unsafe bytes.withUnsafeBufferPointer { unsafe self.bytes.append(contentsOf: $0) }
    return true
  }
}

/// Memory that the caller provides and that never moves, for text that holds a secret.
@safe
public struct JSONFixedBuffer: JSONSink, ~Copyable {
  /// True, because the memory never moves.
  @inlinable
  public var isFixed: Bool { true }

  @usableFromInline let memory: UnsafeMutableRawBufferPointer
  /// How many bytes have been written.
  public private(set) var count = 0

  /// Writes to `memory`, which must stay in place while the buffer exists.
  @unsafe
  public init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

  /// Appends one byte; false if there is no room.
  public mutating func append(_ byte: UInt8) -> Bool {
    guard unsafe count < memory.count else { return false }
    // SAFETY: `count` was just checked.
    unsafe memory[count] = byte
    count += 1
    return true
  }

  /// Appends all the bytes; if there is no room, appends none and returns false.
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
