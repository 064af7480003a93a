/// How much of a keychain fits into one answer.
///
/// A longer answer is cut between two items, and says where to continue.
public enum AnswerSize {
  /// The largest total size of an answer's items, in bytes; a single item may exceed it.
  public static let bytesMax = 448 * 1024

  /// The upper bound of the size of `item` in bytes, sent with `dataCount` bytes of data.
  public static func bytes(of item: Item, dataCount: Int) -> Int {
    var size = 512 + text(item.group) + base64(dataCount)
    for value in item.attributes.values {
      // A four-letter key with its quotes, and the object that may name the value's type.
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

  /// JSON writes a control character in up to six bytes, a quote or a backslash in two.
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
