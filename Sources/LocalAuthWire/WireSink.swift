public import LocalAuthJSON

/// Writes messages.
///
/// It is a single type, so that each message is compiled only once and fully specialized for it.
public typealias WireWriter = JSONWriter<WireSink>

/// The destination of messages: its own memory, which grows, or the caller's, which does not.
@safe
public struct WireSink: JSONSink, ~Copyable {
  /// Whether the memory is the caller's, in which secrets may be written.
  public let isFixed: Bool
  /// The number of bytes written.
  private(set) var count = 0
  private var memory: UnsafeMutableRawBufferPointer

  /// The initial size in bytes: enough for a reply of the usual kind.
  private static let firstSize = 1024

  /// Creates a sink with memory that grows, for everything that is not secret.
  init() {
    isFixed = false
    unsafe memory = .allocate(byteCount: Self.firstSize, alignment: 1)
  }

  /// Creates a sink that writes to `memory`, which must stay in place while the sink exists.
  @unsafe
  init(_ memory: UnsafeMutableRawBufferPointer) {
    isFixed = true
    unsafe self.memory = memory
  }

  deinit {
    if !isFixed { unsafe memory.deallocate() }
  }

  /// Appends what was written, and a NUL, to `bytes`.
  func copy(to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + count + 1)
    // SAFETY: the first `count` bytes were written.
    unsafe bytes.append(contentsOf: memory[..<count])
    bytes.append(0)
  }

  /// Writes one byte; returns false if there is no room.
  @inline(__always)
  public mutating func append(_ byte: UInt8) -> Bool {
    guard unsafe count < memory.count || makeRoom(1) else { return false }
    // SAFETY: there is room for one more byte.
    unsafe memory[count] = byte
    count += 1
    return true
  }

  /// Writes all the bytes, or writes none and returns false if there is no room.
  public mutating func append(_ bytes: Span<UInt8>) -> Bool {
    guard unsafe bytes.count <= memory.count - count || makeRoom(bytes.count) else { return false }
    let (memory, start) = unsafe (self.memory, count)
    // SAFETY: there is room for all of them, and both sides stay in place during the call.
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyMemory(from: source)
    }
    count += bytes.count
    return true
  }

  /// Expects so many bytes more, so that the memory grows once.
  public mutating func reserve(_ count: Int) {
    // What else the message says has room behind them.
    let needed = self.count + count + Self.firstSize
    // At least doubled, as many small values would otherwise be copied with each.
    if unsafe !isFixed && needed > memory.count { grow(to: max(needed, 2 * self.count)) }
  }

  @inline(never)
  private mutating func makeRoom(_ size: Int) -> Bool {
    guard !isFixed else { return false }
    grow(to: 2 * (count + size))
    return true
  }

  private mutating func grow(to size: Int) {
    let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
    // SAFETY: the new memory is larger than the old.
    unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
    unsafe memory.deallocate()
    unsafe memory = grown
  }
}

extension [UInt8] {
  /// Appends the text that `body` writes, and a NUL; appends nothing on failure.
  mutating func append(_ body: (inout WireWriter) -> Void) throws(JSONWriteError) {
    var writer = WireWriter(WireSink())
    body(&writer)
    try writer.finish().copy(to: &self)
  }
}
