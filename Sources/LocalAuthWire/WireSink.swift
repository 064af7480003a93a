public import LocalAuthJSON

/// Writes messages.
///
/// It is one type, so that each message is compiled for it once and whole.
public typealias WireWriter = JSONWriter<WireSink>

/// Where messages are written: memory of its own that grows, or memory of the caller that stays.
@safe
public struct WireSink: JSONSink, ~Copyable {
  /// Whether the memory is the caller's, where a secret may be written.
  public let isFixed: Bool
  /// How many bytes have been written.
  private(set) var count = 0
  private var memory: UnsafeMutableRawBufferPointer

  /// A whole reply of the usual kind.
  private static let firstSize = 1024

  /// Memory that grows, for everything that is not secret.
  init() {
    isFixed = false
    unsafe memory = .allocate(byteCount: Self.firstSize, alignment: 1)
  }

  /// Writes to `memory`, which must stay in place while the sink exists.
  @unsafe
  init(_ memory: UnsafeMutableRawBufferPointer) {
    isFixed = true
    unsafe self.memory = memory
  }

  deinit {
    if !isFixed { unsafe memory.deallocate() }
  }

  /// Copies what has been written to the end of `bytes`, and a NUL.
  func copy(to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + count + 1)
    // SAFETY: the first `count` bytes were written.
    unsafe bytes.append(contentsOf: memory[..<count])
    bytes.append(0)
  }

  /// Takes one byte; false when there is no room.
  @inline(__always)
  public mutating func append(_ byte: UInt8) -> Bool {
    guard unsafe count < memory.count || makeRoom(1) else { return false }
    // SAFETY: there is room for one more.
    unsafe memory[count] = byte
    count += 1
    return true
  }

  /// Takes all the bytes, or none of them and returns false when there is no room.
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

  @inline(never)
  private mutating func makeRoom(_ size: Int) -> Bool {
    guard !isFixed else { return false }
    let grown = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 2 * (count + size),
      alignment: 1
    )
    // SAFETY: the new memory is larger than the old.
    unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
    unsafe memory.deallocate()
    unsafe memory = grown
    return true
  }
}

extension [UInt8] {
  /// Appends the text that `body` writes and a NUL; after a failure nothing.
  mutating func append(_ body: (inout WireWriter) -> Void) throws(JSONWriteError) {
    var writer = WireWriter(WireSink())
    body(&writer)
    try writer.finish().copy(to: &self)
  }
}
