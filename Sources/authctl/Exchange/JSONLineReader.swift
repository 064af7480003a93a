import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthSecret

/// Reads our own format: a line that names it, then a line of JSON for each item.
struct JSONLineReader: ~Copyable {
  /// The first line of a file.
  static let head = #"{"localauth":"keychain","version":1}"#

  private var source: ByteSource
  private let given: GivenAttributes
  private var text = Secret(capacity: ExchangeLimits.line)

  /// Reads the first line.
  init(_ source: consuming ByteSource, _ given: GivenAttributes) throws(ExchangeProblem) {
    self.source = source
    self.given = given
    guard try readLine(1), isHead else {
      throw ExchangeProblem(
        1,
        "This is no file that 'keychain export' of this version has written."
      )
    }
  }

  /// Returns the error of the system that ended reading; 0 for none.
  mutating func readError() -> Int32 { source.error }

  /// Returns the next item; nil at the end.
  mutating func next() throws(ExchangeProblem) -> ExchangeItem? {
    source.beginRecord()
    while source.peek() == UInt8(ascii: "\n") { _ = source.read() }
    let line = source.line
    guard try readLine(line) else { return nil }
    var fields = ExchangeFields()
    do throws(JSONError) {
      // SAFETY: the bytes stay in place while the reader exists.
      try unsafe text.withUnsafeBytes { (bytes) throws(JSONError) in
        var reader = unsafe JSONReader(bytes)
        try fields.read(from: &reader)
        try reader.end()
      }
    } catch {
      throw ExchangeProblem(line, "This is no item of ours: see byte \(error.offset).")
    }
    return try fields.item(line, given)
  }

  /// Reads a line without its end; false at the end of the file.
  private mutating func readLine(_ line: Int) throws(ExchangeProblem) -> Bool {
    text.removeAll()
    var isTooLong = false
    guard source.peek() != nil else { return false }
    while let byte = source.read(), byte != UInt8(ascii: "\n") {
      if !text.append(byte) { isTooLong = true }
    }
    guard !isTooLong else {
      throw ExchangeProblem(line, "The line has more than \(ExchangeLimits.line) bytes.")
    }
    return true
  }

  private var isHead: Bool {
    // SAFETY: the bytes are compared within the call.
    unsafe text.withUnsafeBytes { bytes in
      let end = unsafe bytes.last == UInt8(ascii: "\r") ? bytes.count - 1 : bytes.count
      return unsafe bytes[..<end].elementsEqual(Self.head.utf8)
    }
  }
}
