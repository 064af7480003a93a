/// When a protected file can be opened; the names and rules are those of Apple's Data Protection.
///
/// The numbers stand in files.
public enum FileProtection: UInt8, CaseIterable, Hashable, Sendable {
  /// While the device is unlocked, and for ``Keybag/grace`` after that.
  case complete = 0
  /// Like ``complete``, but a new file can be made and written while the device is locked, and a file that
  /// is open stays so.
  case completeUnlessOpen = 1
  /// From the first unlock on.
  case afterFirstUnlock = 2
  /// Always; only the device is needed.
  case always = 3

  /// Apple's name, which is `none` for ``always``.
  public var name: String {
    switch self {
    case .complete: "complete"
    case .completeUnlessOpen: "completeUnlessOpen"
    case .afterFirstUnlock: "afterFirstUnlock"
    case .always: "none"
    }
  }

  /// The protection with this name; nil if there is none.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// The word for it on the command line and in URIs.
  public var word: String {
    switch self {
    case .complete: "complete"
    case .completeUnlessOpen: "unless-open"
    case .afterFirstUnlock: "after-first-unlock"
    case .always: "none"
    }
  }

  /// The protection with this word; nil if there is none.
  public init?(word: String) {
    guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = found
  }

  /// The class whose key opens the keys of such files.
  public var protectionClass: ProtectionClass {
    switch self {
    case .complete, .completeUnlessOpen: .whenUnlocked
    case .afterFirstUnlock: .afterFirstUnlock
    case .always: .always
    }
  }
}

/// The key of a protected file as it stands in the file.
public struct WrappedFileKey: Hashable, Sendable {
  /// The bytes of a file's identifier.
  public static let identifierSize = 16

  /// When the file can be opened.
  public let protection: FileProtection
  /// The file's identifier, which is random.
  public let identifier: [UInt8]
  /// The key, sealed under that of its class.
  public let bytes: [UInt8]

  /// A key as a file has it, which is not verified yet; nil if the identifier has another size.
  public init?(_ protection: FileProtection, identifier: [UInt8], bytes: [UInt8]) {
    guard identifier.count == Self.identifierSize else { return nil }
    self.protection = protection
    self.identifier = identifier
    self.bytes = bytes
  }
}
