import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthSensor

/// Whatever the bytes are, the loaders return; what they refuse is said in one line with its place,
/// and what they accept can be met, refuses in time, and means the same when written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPolicy(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do throws(PolicyError) {
    check(try PolicyFile.parse(bytes, file: "policy"))
    checkUserPolicy(bytes)
  } catch { check(error, bytes) }
  do throws(PolicyError) {
    check(try LockoutProfileFile.parse(bytes, file: "lockout").delays)
  } catch { check(error, bytes) }
  do throws(PolicyError) {
    check(try PasscodeDelaysFile.parse(bytes, file: "delays").delays)
  } catch { check(error, bytes) }
  do throws(PolicyError) {
    check(try SensorProfileFile.parse(anyOf: bytes, file: "sensor"))
  } catch { check(error, bytes) }
  do throws(PolicyError) {
    check(try EntitlementsFile.parse(bytes, file: "entitlements"))
  } catch { check(error, bytes) }
  return 0
}

/// Every rate is one, and nobody is told apart by nothing.
private func check(_ profile: SensorProfile) {
  let scores = profile.model.scores
  precondition(scores.separation > 0 && scores.threshold.isFinite, "a sensor of nothing")
  precondition(profile.fakes.map { (0...1).contains($0.iapar) } ?? true, "an IAPAR that is none")
  precondition(profile.model.acquisition.failureToAcquire < 1, "never a sample")
  precondition(profile.maximumPrints != 0, "no room for prints")
}

/// Whoever meets a rule has groups, each of them once and with a name.
private func check(_ entitlements: Entitlements) {
  for rule in entitlements.rules {
    let groups = rule.entitlement.accessGroups
    precondition(!groups.isEmpty && Set(groups).count == groups.count, "a group twice or none")
    precondition(groups.allSatisfy { !$0.isEmpty }, "a group without a name")
  }
}

private func check(_ error: PolicyError, _ bytes: [UInt8]) {
  let text = error.description
  precondition(text.unicodeScalars.allSatisfy { $0.value >= 32 }, "an error of several lines")
  guard let position = error.position else {
    precondition(error.problem == .tooLarge, "an error nowhere")
    return
  }
  precondition(text.contains(":\(position): "), "an error without its place")
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  precondition(lines.indices.contains(position.line - 1), "an error beyond the last line")
  precondition(
    (1...lines[position.line - 1].count + 1).contains(position.column),
    "an error beyond its line"
  )
}

private func check(_ policy: Policy) {
  precondition(
    policy.requirement.isReachable(from: Proven(), with: [.biometry, .passcode, .possession]),
    "never met"
  )
  precondition(policy.explanation.allSatisfy { !$0.contains("\n") }, "a line that breaks")
  var written: [UInt8] = []
  guard (try? PolicyFile.json(policy).write(into: &written)) != nil else {
    fatalError("cannot be written")
  }
  guard let again = try? PolicyFile.parse(written, file: "again") else {
    fatalError("cannot be read again")
  }
  precondition(policy == again, "reads differently after being written")
}

private func check(_ table: DelayTable) {
  var refuses = false
  for failures in [1, 2, 3, 5, 10, 100, 9999, 10_000, .max] as [UInt32]
  where table.refusal(after: failures) != .none {
    refuses = true
  }
  for row in table.rows {
    precondition(table.refusal(after: row.from) != .none, "a row without effect")
    refuses = true
  }
  precondition(refuses, "a table that never refuses")
  precondition(table.forgets == nil || table.locksAt == nil, "a lock that time opens")
}

/// A user's own policy is under `user/` and is worth nothing that a policy of the machine is worth.
private func checkUserPolicy(_ bytes: [UInt8]) {
  // Not kept between calls: the leak checker does not follow the boxes of a requirement.
  let catalog = PolicyCatalog()
  switch catalog.check(bytes, file: "user", asUser: true) {
  case .failure(let error):
    // The error may be about a lockout profile, in whose file the position is then.
    precondition(!error.description.contains("\n"), "an error of several lines")
  case .success(let policy):
    precondition(policy.name.hasPrefix("user/"), "a name that could shadow")
    for name in catalog.names {
      guard case .success(let shipped) = catalog.policy(named: name) else { continue }
      precondition(shipped.acr != policy.acr, "an acr of the machine")
    }
  }
}
