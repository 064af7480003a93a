/// Messages between the daemon and the program that speaks to the hub, on a stream of bytes.
///
/// Each follows its size, in four bytes. The daemon sends a ``HubRequest`` and waits for the ``HubReply`` that has its
/// number before it sends the next; the worker may send a ``HubNotice`` at any time. A request to connect by password
/// is followed by a frame that is the password and nothing else, so it is written from wiped memory, and read into it.
public enum HubFrame {
  /// The longest message, in bytes.
  public static let messageMax = 10 << 20
  /// The most bytes of all bodies that one push brings.
  public static let bodiesMax = 8 << 20
  /// Where a page ends, unless it is one entry.
  public static let pageMax = 8 << 20
  /// The longest password, in bytes.
  public static let passwordMax = 128
  /// The bytes before each message.
  public static let headerSize = 4

  /// What stands before a message of `size` bytes.
  public static func header(_ size: Int) -> [UInt8] {
    let size = UInt32(truncatingIfNeeded: size)
    return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: size >> $0) }
  }

  /// The size that a header says; nil for one that is empty or longer than `most`.
  public static func size(_ header: some Collection<UInt8>, most: Int = messageMax) -> Int? {
    guard header.count == headerSize else { return nil }
    let size = header.reduce(0) { $0 << 8 | Int($1) }
    return (1...most).contains(size) ? size : nil
  }
}

/// Takes messages out of a stream whose bytes come in pieces.
public struct HubFrameBuffer: Sendable {
  /// The stream has what is no message; nothing behind it can be read.
  public struct Malformed: Error, Hashable, Sendable {}

  private var bytes: [UInt8] = []
  private var start = 0

  /// A buffer with nothing in it.
  public init() {}

  /// Adds what came.
  public mutating func append(_ piece: some Collection<UInt8>) {
    bytes.append(contentsOf: piece)
  }

  /// The next whole message; nil until there is one.
  ///
  /// - Throws: ``Malformed`` for an empty message, or one that is longer than any may be.
  public mutating func next() throws(Malformed) -> [UInt8]? {
    guard bytes.count - start >= HubFrame.headerSize else { return nil }
    let body = start + HubFrame.headerSize
    guard let size = HubFrame.size(bytes[start..<body]) else { throw Malformed() }
    guard bytes.count - body >= size else { return nil }
    defer { drop(body + size) }
    return Array(bytes[body..<body + size])
  }

  private mutating func drop(_ end: Int) {
    start = end
    guard start == bytes.count || start > 1 << 16 else { return }
    bytes.removeFirst(start)
    start = 0
  }
}
