import LocalAuthCore
import LocalAuthKeychain
import LocalAuthWire

/// The class of an item, as a word or by Apple's name.
struct ItemClassName: ExpressibleByArgument {
  let itemClass: ItemClass

  private static let names: [(name: String, itemClass: ItemClass)] = [
    ("generic-password", .genericPassword), ("internet-password", .internetPassword),
    ("certificate", .certificate), ("key", .key),
  ]

  init?(argument: String) {
    let found = Self.names.first { $0.name == argument || $0.itemClass.rawValue == argument }
    guard let found else { return nil }
    itemClass = found.itemClass
  }

  /// Returns the word for a class.
  static func name(of itemClass: ItemClass) -> String {
    names.first { $0.itemClass == itemClass }?.name ?? itemClass.rawValue
  }

  static var allValueStrings: [String] { names.map(\.name) }
}

/// The condition under which an item is accessible, by Apple's name.
struct AccessibleName: ExpressibleByArgument {
  let protection: ProtectionClass

  init?(argument: String) {
    guard let protection = ProtectionClass(name: argument) else { return nil }
    self.protection = protection
  }

  static var allValueStrings: [String] { ProtectionClass.allCases.map(\.name) }
}

/// The required proofs, by Apple's names separated by commas.
struct AccessControlText: ExpressibleByArgument {
  let flags: AccessControlFlags

  init?(argument: String) {
    guard let flags = try? AccessControlFlags(text: argument),
      (try? AccessControl(.whenUnlocked, flags: flags)) != nil
    else { return nil }
    self.flags = flags
  }

  /// Returns the access control of an item with this `protection`.
  func control(
    _ protection: ProtectionClass,
    asksAtEachUse: Bool = false
  ) throws(Failure) -> AccessControl {
    do throws(KeychainError) {
      return try AccessControl(protection, flags: asksAtEachUse ? flags.union(.eachUse) : flags)
    } catch {
      throw Failure(.usage, error.sentence)
    }
  }

  static var expectation: String {
    "flags between commas that go together, such as biometryAny or "
      + "biometryCurrentSet,or,devicePasscode (\(AccessControlFlags.allWords.joined(separator: " ")))"
  }
}

/// A TCP or UDP port.
struct PortNumber: ExpressibleByArgument {
  let number: Int64

  init?(argument: String) {
    guard let number = Int(argument: argument), (0...65_535).contains(number) else { return nil }
    self.number = Int64(number)
  }

  static var expectation: String { "a number from 0 to 65535" }
}

/// The protocol of an internet password: its usual name, or Apple's four-letter code.
struct ProtocolName: ExpressibleByArgument {
  let letters: String

  init?(argument: String) {
    let found = InternetProtocol.allCases.first {
      Self.name(of: $0) == argument || $0.rawValue == argument
    }
    guard let found else { return nil }
    letters = found.rawValue
  }

  private static func name(of known: InternetProtocol) -> String { String(describing: known) }

  static var allValueStrings: [String] { InternetProtocol.allCases.map { name(of: $0) } }
}

/// Whether an item is meant for other devices too.
enum SynchronizableChoice: String, CaseIterable, ExpressibleByArgument {
  case yes
  /// It stays on this device, and is deleted on the others.
  case no
}

/// A persistent reference, as printed by `--json`.
struct ReferenceText: ExpressibleByArgument {
  let reference: PersistentReference

  init?(argument: String) {
    var decoder = Base64Decoder()
    var bytes: [UInt8] = []
    for character in argument.utf8 {
      let isTaken = decoder.take(character) {
        bytes.append($0)
        return true
      }
      guard isTaken else { return nil }
    }
    guard decoder.isComplete, let reference = try? PersistentReference(bytes: bytes) else {
      return nil
    }
    self.reference = reference
  }

  static var expectation: String { "the 'reference' that add and list print with --json" }
}
