/// Why a text could not be written.
public enum JSONWriteError: Error, Hashable, Sendable {
  /// The caller's memory is too small.
  case bufferFull
  /// A number is infinite or not a number, which JSON cannot express.
  case notFinite
  /// The bytes of a string are not UTF-8.
  case invalidUTF8
  /// An object or array was left open, or nothing was written at all.
  case incomplete
}

extension JSONWriteError: CustomStringConvertible {
  /// One line that says what went wrong.
  public var description: String {
    switch self {
    case .bufferFull: "the text does not fit its buffer; shorten it"
    case .notFinite: "JSON has no infinity and no not-a-number; send a finite number"
    case .invalidUTF8: "a string is not UTF-8; enter it in a UTF-8 locale"
    case .incomplete: "the text is incomplete; close each object and array"
    }
  }
}
