/// The flags that an access control is made from, with Apple's values.
public struct AccessControlFlags: OptionSet, Hashable, Sendable {
  /// One bit per flag.
  public let rawValue: UInt64

  /// The set with these bits; unknown bits are kept and ignored.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// A finger or the passcode.
  public static let userPresence = Self(rawValue: 1 << 0)
  /// Any finger that is enrolled when it is judged.
  public static let biometryAny = Self(rawValue: 1 << 1)
  /// A finger of the set enrolled when the item was added.
  public static let biometryCurrentSet = Self(rawValue: 1 << 3)
  /// The passcode, entered.
  public static let devicePasscode = Self(rawValue: 1 << 4)
  /// A paired device nearby.
  public static let companion = Self(rawValue: 1 << 5)
  /// A proof covers one use of the item, and each further use asks again; ours, not Apple's.
  public static let eachUse = Self(rawValue: 1 << 24)
  /// Any one of the named constraints suffices.
  public static let or = Self(rawValue: 1 << 14)
  /// All named constraints are needed, as without `or` and `and`.
  public static let and = Self(rawValue: 1 << 15)
  /// The constraints guard the use of a private key instead of an item's data.
  public static let privateKeyUsage = Self(rawValue: 1 << 30)
  /// An application password is needed in addition, and goes into the item's key.
  public static let applicationPassword = Self(rawValue: 1 << 31)

  /// Every known flag.
  public static let known: Self = [
    constraints, .eachUse, .or, .and, .privateKeyUsage, .applicationPassword,
  ]
  /// The flags that name something to prove; `or` and `and` join them.
  public static let constraints: Self = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
  ]
  /// The flags that need at least one enrolled finger when the item is added.
  static let biometry: Self = [.biometryAny, .biometryCurrentSet]
  /// The flags that need a passcode to be set when the item is added.
  static let passcode: Self = [.userPresence, .devicePasscode]

  /// Whether the flags may be combined.
  var isLegal: Bool {
    if isSuperset(of: [.or, .and]) || isSuperset(of: Self.biometry) { return false }
    if contains(.eachUse), isDisjoint(with: Self.constraints) { return false }
    let besidePresence: Self = [.userPresence, .eachUse, .applicationPassword, .privateKeyUsage]
    return !contains(.userPresence) || isSubset(of: besidePresence)
  }

  /// The words and their flags, in the order that ``text`` uses.
  private static let words: [(word: String, flag: Self)] = [
    ("userPresence", .userPresence), ("biometryAny", .biometryAny),
    ("biometryCurrentSet", .biometryCurrentSet), ("devicePasscode", .devicePasscode),
    ("companion", .companion), ("watch", .companion), ("or", .or), ("and", .and),
    ("privateKeyUsage", .privateKeyUsage), ("applicationPassword", .applicationPassword),
    ("eachUse", .eachUse),
  ]

  /// Every word that ``init(text:)`` accepts.
  public static let allWords = words.map(\.word)

  /// Parses Apple's names, separated by commas in any order:
  /// `biometryCurrentSet,or,devicePasscode`.
  ///
  /// Throws for an unknown name and for a duplicate.
  public init(text: String) throws(KeychainError) {
    self = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let found = Self.words.first { $0.word.utf8.elementsEqual(word.utf8) }
      guard let flag = found?.flag, insert(flag).inserted else {
        throw .parameter(.invalidValue(ItemAttribute.accessControl.rawValue))
      }
    }
  }

  /// The names separated by commas, `or` and `and` after the first constraint; empty without flags.
  public var text: String {
    var names: [String] = []
    for (word, flag) in Self.words where contains(flag) && word != "watch" {
      let isOperator = flag == .or || flag == .and
      names.insert(word, at: isOperator ? min(1, names.count) : names.count)
    }
    return names.joined(separator: ",")
  }
}
