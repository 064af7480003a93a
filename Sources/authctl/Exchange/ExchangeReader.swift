import Glibc
import LocalAuthKeychain

/// Reads items of a file in any format that is known; which one, its beginning says.
struct ExchangeReader: ~Copyable {
  private var table: TableReader?
  private var lines: JSONLineReader?
  private let given: GivenAttributes

  /// Opens a file from its beginning; each item gets what `given` has.
  init(_ descriptor: Int32, _ given: GivenAttributes) throws(ExchangeProblem) {
    self.given = given
    var source = ByteSource(descriptor)
    if source.peek() == UInt8(ascii: "{") {
      lines = try JSONLineReader(source, given)
    } else {
      table = try TableReader(source)
    }
  }

  /// Returns the error of the system that ended reading; 0 for none.
  mutating func readError() -> Int32 {
    if let error = table?.readError() { return error }
    return lines?.readError() ?? 0
  }

  /// The columns in which something stood so far that no item has a place for.
  var leftOut: [String] { mutating get { table?.leftOut ?? [] } }

  /// Returns what comes next; nil at the end.
  ///
  /// After a problem, the next call goes on behind it.
  mutating func next() throws(ExchangeProblem) -> ExchangeItem? {
    if lines != nil { return try lines?.next() }
    guard let record = try table?.next() else { return nil }
    return try ExchangeItem(record, base: given.dictionary)
  }
}
