import LocalAuthCore

extension AccessControl {
  /// What must be proven before `operation`, on a device whose enrolled set is at `generation`.
  ///
  /// | flags           | decrypt, update, use | encrypt | delete  | sign, computeKey, decapsulate | attest  |
  /// |-----------------|----------------------|---------|---------|-------------------------------|---------|
  /// | none            | allowed              | allowed | allowed | allowed                       | allowed |
  /// | constraints     | constraint           | allowed | allowed | denied                        | denied  |
  /// | privateKeyUsage | denied               | denied  | allowed | constraint                    | allowed |
  ///
  /// `applicationPassword` is required in addition wherever the item's key is made or used. An item
  /// bound to another generation than `generation` opens only by its alternatives, if it has any.
  public func rule(for operation: AccessOperation, at generation: UInt64) -> OperationRule {
    if isTrivial { return .allowed }
    let guardsKey = flags.contains(.privateKeyUsage)
    switch operation {
    case .delete: return .allowed
    case .decrypt, .update, .use: return guardsKey ? .denied : constraint(at: generation)
    case .encrypt:
      if guardsKey { return .denied }
      return flags.contains(.applicationPassword) ? .requires(.applicationPassword) : .allowed
    case .sign, .computeKey, .decapsulate: return guardsKey ? constraint(at: generation) : .denied
    case .attest: return guardsKey ? .allowed : .denied
    }
  }

  private func constraint(at generation: UInt64) -> OperationRule {
    let named = flags.intersection(.constraints)
    let live = live(named, at: generation)
    guard !live.isEmpty || named.isEmpty else { return .denied }
    let proofs = proofs(of: live, at: generation)
    var needed = flags.contains(.or) && proofs.count > 1 ? [.anyOf(proofs)] : proofs
    if flags.contains(.applicationPassword) { needed.append(.applicationPassword) }
    guard let first = needed.first else { return .allowed }
    return .requires(needed.count == 1 ? first : .allOf(needed))
  }

  /// The constraints that can still be met: a changed set removes its own, and all of them unless
  /// there is an alternative.
  private func live(_ named: AccessControlFlags, at generation: UInt64) -> AccessControlFlags {
    guard case .bound(let bound?) = binding, bound != generation else { return named }
    return hasAlternative ? named.subtracting(.biometryCurrentSet) : []
  }

  private func proofs(of flags: AccessControlFlags, at generation: UInt64) -> [Requirement] {
    var proofs: [Requirement] = []
    if flags.contains(.userPresence) { proofs.append(.anyOf([.biometry(.any), .passcode])) }
    if flags.contains(.biometryAny) { proofs.append(.biometry(.any)) }
    if flags.contains(.biometryCurrentSet) {
      proofs.append(.biometry(.current(generation: generation)))
    }
    if flags.contains(.companion) { proofs.append(.companion) }
    if flags.contains(.devicePasscode) { proofs.append(.passcode) }
    return proofs
  }
}
