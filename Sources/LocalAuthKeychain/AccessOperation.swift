public import LocalAuthCore

/// What is done with an item or its key, for which an access control has a rule each.
public enum AccessOperation: String, CaseIterable, Hashable, Sendable {
  /// Reading the item.
  case decrypt
  /// Changing it, which begins with reading and has the same rule.
  case update
  /// Adding it.
  case encrypt
  case delete
  case sign
  /// Key agreement, and decryption that rests on it.
  case computeKey
  /// Opening what a key encapsulation wrapped.
  case decapsulate
  case attest
}

extension AccessOperation {
  /// Whether a private key is used.
  var usesKey: Bool { self == .sign || self == .computeKey || self == .decapsulate }
}

/// What an access control says to an operation.
public enum OperationRule: Hashable, Sendable {
  case allowed
  /// Only with proof of this.
  case requires(Requirement)
  case denied

  /// Whether `factors` alone are all the proof that is asked for.
  public func isMet(by factors: FactorSet) -> Bool {
    if case .requires(let requirement) = self {
      return requirement.isMet(by: Proven(factors: factors))
    }
    return false
  }
}

/// What a program says it is about to do when it has an access control evaluated, with Apple's
/// numbers and one of ours.
public enum AccessControlUse: Int, CaseIterable, Hashable, Sendable {
  case createItem = 0
  case useItem = 1
  case createKey = 2
  case useKeySign = 3
  case useKeyDecrypt = 4
  case useKeyKeyExchange = 5
  /// Whatever a private key does, proven at once; Apple has no such number.
  case useKey = 6

  /// The operations whose rules it is evaluated by.
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
