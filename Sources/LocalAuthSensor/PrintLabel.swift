public import LocalAuthCore

/// A label for a print, as in libfprint's virtual device: any short word.
public struct PrintLabel: Hashable, Sendable {
  /// The word: 1 to 32 letters, digits, `.`, `_` and `-`.
  public let word: String

  /// Creates the label `word`; nil if the word is not valid.
  public init?(_ word: String) {
    guard (1...32).contains(word.utf8.count),
      word.utf8.allSatisfy({ isLetterOrDigit($0) || "._-".utf8.contains($0) })
    else { return nil }
    self.word = word
  }
}

/// The identity of a touch: a finger by name, or a print by label.
public enum PrintIdentity: Hashable, Sendable {
  case finger(Finger)
  case label(PrintLabel)

  /// Creates the identity that `word` names.
  public init?(word: String) {
    if let finger = Finger(named: word) {
      self = .finger(finger)
    } else if let label = PrintLabel(word) {
      self = .label(label)
    } else {
      return nil
    }
  }

  /// The word for it in scripts.
  public var word: String {
    switch self {
    case .finger(let finger): finger.rawValue
    case .label(let label): label.word
    }
  }
}

/// The finger of each labelled print.
public struct PrintTable: Hashable, Sendable {
  /// One label and its finger.
  public struct Entry: Hashable, Sendable {
    /// The label.
    public let label: PrintLabel
    /// The finger.
    public let finger: Finger
  }

  /// The entries, oldest first; each label occurs once.
  public private(set) var entries: [Entry] = []
  /// The maximum number of entries; a new one replaces the oldest.
  public static let limit = 32

  /// Creates an empty table.
  public init() {}

  /// Returns the finger that `label` belongs to.
  public subscript(label: PrintLabel) -> Finger? {
    entries.first { $0.label == label }?.finger
  }

  /// Assigns `label` to `finger`.
  public mutating func assign(_ label: PrintLabel, to finger: Finger) {
    entries.removeAll { $0.label == label }
    if entries.count >= Self.limit { entries.removeFirst() }
    entries.append(Entry(label: label, finger: finger))
  }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: false
  }
}
