public import LocalAuthCore

/// An operation on an item or its key; an access control has a rule for each.
public enum AccessOperation: String, CaseIterable, Hashable, Sendable {
  /// Reading the item.
  case decrypt
  /// Changing it, which begins with reading and has the same rule.
  case update
  /// Adding it.
  case encrypt
  case delete
  case sign
  /// Key agreement, and decryption based on it.
  case computeKey
  /// Opening a secret that a key encapsulation wrapped.
  case decapsulate
  case attest
  /// Using a key whose access control says nothing of keys: it is guarded as reading is.
  case use
}

extension AccessOperation {
  /// Whether a private key is used.
  var usesKey: Bool {
    switch self {
    case .sign, .computeKey, .decapsulate, .use: true
    case .decrypt, .update, .encrypt, .delete, .attest: false
    }
  }
}

/// The rule of an access control for an operation.
public enum OperationRule: Hashable, Sendable {
  case allowed
  /// Allowed only with proof of this requirement.
  case requires(Requirement)
  case denied

  /// Whether proof is required and `factors` alone provide it.
  public func isMet(by factors: FactorSet) -> Bool {
    if case .requires(let requirement) = self {
      return requirement.isMet(by: Proven(factors: factors))
    }
    return false
  }
}

/// The purpose that a program states when it evaluates an access control, with Apple's numbers and
/// one of ours.
public enum AccessControlUse: Int, CaseIterable, Hashable, Sendable {
  case createItem = 0
  case useItem = 1
  case createKey = 2
  case useKeySign = 3
  case useKeyDecrypt = 4
  case useKeyKeyExchange = 5
  /// Signing and key agreement with a private key, proven at once; Apple has no such number.
  case useKey = 6

  /// The operations whose rules the evaluation follows.
  public var operations: [AccessOperation] {
    switch self {
    case .createItem, .createKey: [.encrypt]
    case .useItem: [.decrypt]
    case .useKeySign: [.sign]
    case .useKeyDecrypt, .useKeyKeyExchange: [.computeKey]
    case .useKey: [.sign, .computeKey]
    }
  }
}
