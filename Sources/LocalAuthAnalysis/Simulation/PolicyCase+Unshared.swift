import LocalAuthCore

extension PolicyCase {
  /// The same case in storage of its own.
  ///
  /// Threads that share a copy contend for the reference counts of its arrays, which costs a third
  /// of what the second thread gains. Names have no effect and are dropped.
  var unshared: PolicyCase {
    var own = self
    own.policy.requirement = policy.requirement.unshared
    own.policy.name = ""
    own.policy.summary = ""
    own.policy.acr = ""
    own.policy.fallbackTitle = nil
    own.rules.lockout = rules.lockout.unshared
    own.rules.policyLockout = rules.policyLockout?.unshared
    own.rules.delays.name = ""
    own.rules.delays.delays = rules.delays.delays.unshared
    return own
  }
}

extension LockoutProfile {
  fileprivate var unshared: LockoutProfile {
    var own = self
    own.name = ""
    own.delays = delays.unshared
    return own
  }
}

extension DelayTable {
  fileprivate var unshared: DelayTable {
    var own = self
    own.rows = rows.map(\.self)
    return own
  }
}

extension Requirement {
  fileprivate var unshared: Requirement {
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion, .possession: self
    case .allOf(let parts): .allOf(parts.map(\.unshared))
    case .anyOf(let parts): .anyOf(parts.map(\.unshared))
    }
  }
}
