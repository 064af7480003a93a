public import LocalAuthCore

/// A name for a print, as libfprint's virtual device has them: any short word.
public struct PrintLabel: Hashable, Sendable {
  /// The word: 1 to 32 letters, digits, `.`, `_` and `-`.
  public let word: String

  /// The label `word`, or nil when it is no such word.
  public init?(_ word: String) {
    guard (1...32).contains(word.utf8.count),
      word.utf8.allSatisfy({ isLetterOrDigit($0) || "._-".utf8.contains($0) })
    else { return nil }
    self.word = word
  }
}

/// Who touches: a finger by its name, or a print by its label.
public enum PrintIdentity: Hashable, Sendable {
  case finger(Finger)
  case label(PrintLabel)

  /// The finger or print that `word` names.
  public init?(word: String) {
    if let finger = Finger(named: word) {
      self = .finger(finger)
    } else if let label = PrintLabel(word) {
      self = .label(label)
    } else {
      return nil
    }
  }

  /// Its word in scripts.
  public var word: String {
    switch self {
    case .finger(let finger): finger.rawValue
    case .label(let label): label.word
    }
  }
}

/// Which finger each labelled print belongs to.
public struct PrintTable: Hashable, Sendable {
  /// One label and its finger.
  public struct Entry: Hashable, Sendable {
    /// The label.
    public let label: PrintLabel
    /// The finger.
    public let finger: Finger
  }

  /// The entries, oldest first; no label twice.
  public private(set) var entries: [Entry] = []
  /// How many entries there can be; the oldest gives way.
  public static let limit = 32

  /// A table without entries.
  public init() {}

  /// The finger that `label` belongs to.
  public subscript(label: PrintLabel) -> Finger? {
    entries.first { $0.label == label }?.finger
  }

  /// Says that `label` is a print of `finger`.
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
