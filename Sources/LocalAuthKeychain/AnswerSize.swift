/// How much of a keychain goes into one answer.
///
/// An answer that would be longer is cut between two items, and says where it goes on.
public enum AnswerSize {
  /// Bytes that the items of an answer may come to; one item alone may always go.
  public static let bytesMax = 448 * 1024

  /// Bytes that `item` comes to at most when it is sent with `dataCount` bytes of data.
  public static func bytes(of item: Item, dataCount: Int) -> Int {
    var size = 512 + text(item.group) + base64(dataCount)
    for value in item.attributes.values {
      // A key of four letters with its quotes, and the object that may name the value's type.
      size += 24
      switch value {
      case .text(let text): size += Self.text(text)
      case .data(let bytes): size += base64(bytes.count)
      case .number, .date: size += 20
      }
    }
    return size
  }

  private static func base64(_ count: Int) -> Int { (count + 2) / 3 * 4 }

  /// JSON writes a control character with up to six, a quote or a backslash with two.
  private static func text(_ text: String) -> Int {
    text.utf8.reduce(0) { size, byte in
      switch byte {
      case 0..<0x20: size + 6
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): size + 2
      default: size + 1
      }
    }
  }
}
