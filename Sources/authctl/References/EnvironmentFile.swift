import LocalAuthCore

/// The variables of a file: one `NAME=VALUE` a line.
///
/// | line                  | meaning                                            |
/// |-----------------------|----------------------------------------------------|
/// | empty, or `# ...`     | nothing                                            |
/// | `NAME=VALUE`          | the value up to the end of the line, as it stands  |
/// | `NAME='VALUE'`        | the value between the quotes, single or double     |
/// | `export NAME=VALUE`   | the same without `export`                          |
///
/// Nothing is expanded or escaped, and no value spans lines.
enum EnvironmentFile {
  /// The largest file, in bytes.
  static let limit = 1024 * 1024

  /// A variable: where its name and its value are in the file.
  struct Variable: Equatable {
    let name: Range<Int>
    let value: Range<Int>
  }

  /// Reads the variables of `bytes`; errors name the line and never what is in it.
  @unsafe
  static func variables(
    in bytes: UnsafeRawBufferPointer,
    of path: String
  ) throws(Failure) -> [Variable] {
    var variables: [Variable] = []
    var names: Set<[UInt8]> = []
    var number = 0
    var at = 0
    while at < bytes.count {
      number += 1
      let end = unsafe bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = unsafe trimmed(bytes, at..<end)
      at = end + 1
      guard !line.isEmpty, unsafe bytes[line.lowerBound] != UInt8(ascii: "#") else { continue }
      guard let variable = unsafe variable(bytes, line) else {
        throw Failure(
          .usage,
          "Line \(number) of \(path) is not understood: write NAME=VALUE, or # and a remark."
        )
      }
      guard unsafe !bytes[variable.value].contains(0) else {
        throw Failure(.usage, "Line \(number) of \(path) has a zero byte, which no variable holds.")
      }
      guard unsafe names.insert(Array(bytes[variable.name])).inserted else {
        throw Failure(.usage, "Line \(number) of \(path) gives a variable for the second time.")
      }
      variables.append(variable)
    }
    return variables
  }

  /// A line without the blanks around it and without the carriage return of other systems.
  @unsafe
  private static func trimmed(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Range<Int> {
    var (start, end) = (line.lowerBound, line.upperBound)
    while start < end, unsafe isSpace(bytes[start]) { start += 1 }
    while end > start, unsafe isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  @unsafe
  private static func variable(
    _ bytes: UnsafeRawBufferPointer,
    _ line: Range<Int>
  ) -> Variable? {
    var start = line.lowerBound
    let export = Array("export ".utf8)
    if unsafe bytes[line].starts(with: export) { start += export.count }
    while start < line.upperBound, unsafe isSpace(bytes[start]) { start += 1 }
    guard let equals = unsafe bytes[start..<line.upperBound].firstIndex(of: UInt8(ascii: "=")),
      unsafe isName(bytes[start..<equals])
    else { return nil }
    return Variable(
      name: start..<equals,
      value: unsafe unquoted(bytes, (equals + 1)..<line.upperBound)
    )
  }

  @unsafe
  private static func unquoted(_ bytes: UnsafeRawBufferPointer, _ value: Range<Int>) -> Range<Int> {
    guard value.count >= 2 else { return value }
    let (first, last) = unsafe (bytes[value.lowerBound], bytes[value.upperBound - 1])
    let isQuote = first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
    return isQuote && first == last ? (value.lowerBound + 1)..<(value.upperBound - 1) : value
  }

  @unsafe
  private static func isName(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = unsafe name.first, !(0x30...0x39).contains(first) else { return false }
    return unsafe name.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}
