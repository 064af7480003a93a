import LocalAuthCore
import LocalAuthKeychain

/// An access control, and what it promises in the words of its flags.
///
/// The promises are written down here once more, independently of the rules that the keychain follows.
struct ItemGuard: Hashable, Sendable {
  /// What has to be proven for an operation.
  enum Promise: Hashable, Sendable {
    case free
    case never
    /// All of one of these sets.
    case oneOf([FactorSet])
  }

  let accessControl: AccessControl
  /// The same flags with another protection: what is proven for one opens nothing of the other.
  let twin: AccessControl
  /// The two operations that ask for a proof.
  let operations: [AccessOperation]
  /// What they ask for.
  private let asked: [FactorSet]
  /// What they ask for once the set of fingers is another one.
  private let askedLater: [FactorSet]

  init(
    _ flags: AccessControlFlags,
    _ operations: [AccessOperation] = [.decrypt, .update],
    asks: [FactorSet],
    later: [FactorSet]? = nil
  ) {
    accessControl = Self.bound(.whenUnlocked, flags)
    twin = Self.bound(.afterFirstUnlock, flags)
    self.operations = operations
    asked = asks
    askedLater = later ?? asks
  }

  private static func bound(
    _ protection: ProtectionClass,
    _ flags: AccessControlFlags
  ) -> AccessControl {
    let device = AccessControl.Enrolment(
      hasFingers: true,
      generation: ItemModel.firstSet,
      hasPasscode: true
    )
    guard let bound = try? AccessControl(protection, flags: flags).bound(to: device) else {
      preconditionFailure("\(flags.text) is an access control of this device")
    }
    return bound
  }

  /// The ways to prove what the operations ask for, while the fingers are the set `generation`.
  func ways(at generation: UInt64) -> [FactorSet] {
    generation == ItemModel.firstSet ? asked : askedLater
  }

  /// What `operation` asks for, while the fingers are the set `generation`.
  func promise(_ operation: AccessOperation, at generation: UInt64) -> Promise {
    let isOfKey = accessControl.flags.contains(.privateKeyUsage)
    if operation == .delete || operation == .attest && isOfKey { return .free }
    let ways = ways(at: generation)
    return operations.contains(operation) && !ways.isEmpty ? .oneOf(ways) : .never
  }

  /// Every kind of access control that is explored.
  static let all: [Self] = [
    Self(.biometryAny, asks: [.biometry]),
    Self(.biometryCurrentSet, asks: [.biometry], later: []),
    Self(.userPresence, asks: [.biometry, .passcode]),
    Self(.devicePasscode, asks: [.passcode]),
    Self([.biometryAny, .eachUse], asks: [.biometry]),
    Self(
      [.biometryCurrentSet, .or, .devicePasscode],
      asks: [.biometry, .passcode],
      later: [.passcode]
    ),
    Self([.biometryAny, .and, .devicePasscode], asks: [[.biometry, .passcode]]),
    Self([.biometryAny, .privateKeyUsage], [.sign, .computeKey], asks: [.biometry]),
  ]
}
