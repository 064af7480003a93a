/// A request without a body, read strictly: what two readers could read differently is none.
public struct HTTPRequest: Sendable {
  /// Bytes of a request, at most.
  public static let sizeMax = 16 * 1024

  /// `GET`, `DELETE` and so on.
  public let method: String
  /// The path, as it was sent.
  public let path: String
  private let fields: [(name: String, value: String)]

  /// Reads everything up to the empty line; nil for what is no request of HTTP/1.1, or has a body.
  public init?(head: [UInt8]) {
    guard head.count <= Self.sizeMax, let text = String(validating: head, as: UTF8.self),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0D || $0 == 0x0A })
    else { return nil }
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    // The head ends with an empty line, after which nothing comes.
    guard lines.popLast() == "", lines.popLast() == "", let first = lines.popFirst() else {
      return nil
    }
    let words = first.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isLetter),
      words[1].hasPrefix("/"),
      words[2] == "HTTP/1.1"
    else { return nil }
    (method, path) = (String(words[0]), String(words[1]))
    var fields: [(name: String, value: String)] = []
    for line in lines {
      guard let field = Self.field(line) else { return nil }
      fields.append(field)
    }
    self.fields = fields
    guard self["Host"] != nil, self["Transfer-Encoding"] == nil,
      self["Content-Length"] ?? "0" == "0"
    else { return nil }
    let names = ["host", "authorization", "content-length", "transfer-encoding"]
    guard names.allSatisfy({ name in fields.count { $0.name == name } <= 1 }) else { return nil }
  }

  /// The value of a field, whose name is compared without regard to case.
  public subscript(name: String) -> String? {
    let name = name.lowercased()
    return fields.first { $0.name == name }?.value
  }

  /// The token of `Authorization: Bearer …`.
  public var bearer: String? {
    guard let words = self["Authorization"]?.split(separator: " "), words.count == 2,
      words[0].lowercased() == "bearer"
    else { return nil }
    return String(words[1])
  }

  private static func field(_ line: Substring) -> (name: String, value: String)? {
    guard let colon = line.firstIndex(of: ":"), !line[..<colon].isEmpty,
      line[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) })
    else { return nil }
    let value = line[line.index(after: colon)...].drop { $0 == " " }
    let trailing = value.reversed().prefix { $0 == " " }.count
    return (line[..<colon].lowercased(), String(value.dropLast(trailing)))
  }
}
