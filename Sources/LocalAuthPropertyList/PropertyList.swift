/// A property list: what a key-value store keeps under a key.
///
/// Two values are equal if they have the same bytes in ``binary()``: numbers that are no number and the two
/// zeros are told apart by their bits, texts by their UTF-8, and the integer 1 is neither the real 1 nor true.
public indirect enum PropertyList: Sendable {
  case string(String)
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// Seconds since the first moment of 2001 in UTC, as Apple counts; negative before it.
  case date(Double)
  case data([UInt8])
  case array([PropertyList])
  case dictionary([String: PropertyList])

  /// How many arrays and dictionaries may lie in each other.
  public static let depthMax = 128
  /// The most bytes of texts and data that a list of fewer bytes may hold, where parts share parts: what a service can hash
  /// in some milliseconds.
  public static let contentMax = 16 << 20
}

extension PropertyList: Hashable {
  /// Compares as ``PropertyList`` says.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
      left.bitPattern == right.bitPattern
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): areEqual(left, right)
    case (.string, _), (.boolean, _), (.integer, _), (.real, _), (.date, _), (.data, _),
      (.array, _), (.dictionary, _):
      false
    }
  }

  private static func areEqual(_ left: [String: Self], _ right: [String: Self]) -> Bool {
    guard left.count == right.count else { return false }
    return left.allSatisfy { key, value in
      // A dictionary takes two spellings of one text for one key.
      guard let index = right.index(forKey: key) else { return false }
      return right[index].key.utf8.elementsEqual(key.utf8) && right[index].value == value
    }
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text):
      hasher.combine(0)
      hasher.combine(utf8: text)
    case .boolean(let value): hasher.combine(value)
    case .integer(let number): hasher.combine(number)
    case .real(let number):
      hasher.combine(1)
      hasher.combine(number.bitPattern)
    case .date(let seconds):
      hasher.combine(2)
      hasher.combine(seconds.bitPattern)
    case .data(let bytes): hasher.combine(bytes)
    case .array(let values): hasher.combine(values)
    // Spellings of one key have one hash in a dictionary's own.
    case .dictionary(let values): hasher.combine(values.count)
    }
  }
}

extension Hasher {
  /// Combines the bytes of a text, so that spellings that look alike do not collide.
  fileprivate mutating func combine(utf8 text: String) {
    var text = text
    text.withUTF8 { unsafe combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(UInt8(0xFF))
  }
}

/// Why bytes are no property list, or a value cannot be written as one.
public enum PropertyListError: Error, Hashable, Sendable {
  /// The bytes do not begin as a binary property list does.
  case notBinary
  /// The bytes contradict themselves at this place: cut, out of range, or of a form that nobody writes.
  case damaged(at: Int)
  /// There are more than ``PropertyList/depthMax`` arrays and dictionaries in each other, or one is in itself.
  case tooDeep
  /// Parts that are used many times make more values than the bytes have room for.
  case tooLarge
  /// A dictionary has a key that is no text.
  case keyIsNoString
  /// A dictionary has a key twice.
  case duplicateKey(String)
  /// A kind of value that a key-value store does not keep: a null, a set, a UID.
  case unsupported(kind: UInt8)
  /// An integer that does not fit 64 bits with a sign.
  case integerTooLarge
  /// A date that is no number or infinite.
  case dateOutOfRange
  /// A text that is not Unicode.
  case invalidText
}

extension PropertyListError: CustomStringConvertible {
  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .notBinary: "The bytes are no binary property list."
    case .damaged(let place): "The property list is damaged at byte \(place)."
    case .tooDeep:
      "A property list may have \(PropertyList.depthMax) arrays and dictionaries in each other."
    case .tooLarge: "The property list uses its parts so often that it is too large."
    case .keyIsNoString: "The keys of a dictionary have to be texts."
    case .duplicateKey(let key): "A dictionary has the key \"\(key)\" twice."
    case .unsupported: "A null, a set or a UID is no value of a key-value store."
    case .integerTooLarge: "An integer has to fit 64 bits with a sign."
    case .dateOutOfRange: "A date has to be a finite number of seconds."
    case .invalidText: "A text is not Unicode."
    }
  }
}
