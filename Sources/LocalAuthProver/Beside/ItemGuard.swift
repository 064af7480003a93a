import LocalAuthCore
import LocalAuthKeychain

/// An access control, and what it promises in the words of its flags.
///
/// The promises are written down here once more, independently of the rules that the keychain follows.
struct ItemGuard: Hashable, Sendable {
  let accessControl: AccessControl
  /// Every use that any call may try.
  let uses: [ItemUse]
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
    let accessControl = Self.bound(.whenUnlocked, flags)
    let twin = Self.bound(.afterFirstUnlock, flags)
    self.accessControl = accessControl
    uses = ItemModel.contexts.flatMap { context in
      ItemModel.calls.flatMap { call in
        (ItemModel.items + [ItemModel.twin]).flatMap { item in
          (operations + [.delete, .attest]).map { operation in
            let control = item == ItemModel.twin ? twin : accessControl
            return ItemUse(operation, of: item, control, in: context, by: call)
          }
        }
      }
    }
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

  /// The ways to prove what `operation` asks for; none if it is denied.
  func ways(of operation: AccessOperation, at generation: UInt64) -> [FactorSet] {
    operations.contains(operation) ? ways(at: generation) : []
  }

  /// Whether `operation` asks for nothing.
  func isFree(_ operation: AccessOperation) -> Bool {
    operation == .delete
      || operation == .attest && accessControl.flags.contains(.privateKeyUsage)
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
