import LocalAuthCore
import LocalAuthSecret

/// Reads a table of comma-separated values (RFC 4180), one record after the other.
///
/// Fields that hold secrets go to secret memory as they are read.
struct TableReader: ~Copyable {
  private enum FieldEnd { case comma, record, file }

  private var source: ByteSource
  private var roles: [ExchangeRole] = []
  private var names: [String] = []
  /// The columns that an item has no place for and in which something stands, as other programs name
  /// them; of names that no program writes only the number is kept, which is said last.
  var leftOut: [String] {
    let known = Set(filled.map { names[$0] }).subtracting([""]).sorted()
    let others = filled.count { names[$0].isEmpty }
    return known + (others == 0 ? [] : [CountText.of(others, "other")])
  }
  /// The columns that are not kept and in which something stood so far.
  private var filled: Set<Int> = []
  private var isFieldEmpty = true
  private var field = Secret(capacity: ExchangeLimits.field)
  /// What is wrong with the record that is being read; the first of it.
  private var problem: String?

  /// Reads the names of the columns.
  ///
  /// A problem is about the whole file.
  init(_ source: consuming ByteSource) throws(ExchangeProblem) {
    self.source = source
    skipMark()
    var end = FieldEnd.comma
    while end == .comma, roles.count <= ExchangeLimits.columns {
      end = readField(longest: ExchangeLimits.text)
      let column = ExchangeFormat.column(text().trimmed)
      roles.append(column?.role ?? .other)
      names.append(column?.name ?? "")
    }
    if let problem { throw ExchangeProblem(1, problem) }
    guard roles.count <= ExchangeLimits.columns else {
      throw ExchangeProblem(1, "There are more than \(ExchangeLimits.columns) columns.")
    }
    guard roles.contains(.password) else {
      throw ExchangeProblem(
        1,
        "This is no file of ours, and no table with the column 'password' or 'login_password'."
      )
    }
  }

  /// Returns the error of the system that ended reading; 0 for none.
  mutating func readError() -> Int32 { source.error }

  /// Returns the next record; nil at the end.
  ///
  /// After a problem the next call goes on behind the record that has it.
  mutating func next() throws(ExchangeProblem) -> ExchangeRecord? {
    source.beginRecord()
    while source.peek() == UInt8(ascii: "\n") || source.peek() == UInt8(ascii: "\r") {
      _ = source.read()
    }
    guard source.peek() != nil else { return nil }
    var record = ExchangeRecord(line: source.line)
    problem = nil
    var column = 0
    var end = FieldEnd.comma
    while end == .comma {
      let role = column < roles.count ? roles[column] : .other
      column += 1
      end = readField(longest: role.isSecret ? ExchangeLimits.field : ExchangeLimits.text, role)
      if role.isSecret {
        record.take(field, as: role)
      } else if role != .other {
        record.take(text(), as: role)
      } else if !isFieldEmpty, column <= roles.count {
        filled.insert(column - 1)
      }
    }
    if column != roles.count {
      note("There are \(column) fields; the first line has \(roles.count).")
    }
    if let problem { throw ExchangeProblem(record.line, problem) }
    return record
  }

  // MARK: Fields

  private mutating func note(_ problem: String) {
    if self.problem == nil { self.problem = problem }
  }

  /// Reads one field into `field`; of a role that is not kept, it drops the bytes.
  ///
  /// A field with a problem is read to its end, so that the next one is found.
  private mutating func readField(longest: Int, _ role: ExchangeRole = .title) -> FieldEnd {
    field.removeAll()
    isFieldEmpty = true
    let isQuoted = source.peek() == UInt8(ascii: "\"")
    if isQuoted { _ = source.read() }
    var isOpen = isQuoted
    while let byte = source.read() {
      if isOpen, byte == UInt8(ascii: "\"") {
        guard source.peek() == UInt8(ascii: "\"") else {
          isOpen = false
          continue
        }
        _ = source.read()
      } else if !isOpen {
        if byte == UInt8(ascii: ",") { return .comma }
        if byte == UInt8(ascii: "\n") { return .record }
        if byte == UInt8(ascii: "\r"), source.peek() == UInt8(ascii: "\n") { continue }
        if isQuoted { note("Something follows a quotation mark that ends a field.") }
      }
      isFieldEmpty = false
      guard role != .other else { continue }
      if field.count >= longest || !field.append(byte) {
        note("A field has more than \(longest) bytes.")
      }
    }
    if isOpen { note("A quotation mark has no end.") }
    return .file
  }

  /// Skips a byte order mark.
  private mutating func skipMark() {
    guard source.peek() == 0xEF else { return }
    for _ in 0..<3 { _ = source.read() }
  }

  /// The field as text, for those that are no secret.
  private mutating func text() -> String {
    // SAFETY: the bytes are copied within the call; they are a name, and no secret.
    let text = unsafe field.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    if text == nil { note("A name is no UTF-8 text.") }
    return text ?? ""
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = self[...].drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}
