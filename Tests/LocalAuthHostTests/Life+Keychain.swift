import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService

/// Keychain calls, each of whatever chance makes of it.
extension Life {
  func callKeychain() {
    guard let operation = try? operation() else { return }
    var asking = EvaluationRequest(policy: "", reason: "test", device: name)
    asking.allowsSimulated = true
    asking.isInteractive = draw(4) != 0
    asking.timeout = .milliseconds(1 + draw(60_000))
    if draw(2) == 0 {
      asking.script = ScriptSource(text: .of(one(of: Self.scripts)), isArgument: true)
    }
    var request = KeychainRequest(
      operation,
      asking: asking,
      context: ContextIdentity(connection: UInt64(draw(3)), context: UInt64(draw(3))),
      groups: AccessGroups(["local"])
    )
    if draw(3) == 0 { request.applicationPassword = .of(one(of: ["sesame", "wrong"])) }
    let id = make("keychain") { engine, ended throws(EngineError) in
      try engine.keychain(request, caller: caller) { [weak self] event in
        if case .asking(.prompt(let prompt)) = event { self?.nonces.append(prompt.nonce) }
        if case .finished = event { ended() }
      }
    }
    if let id { keychainCalls.append(id) }
    if draw(6) == 0, let call = keychainCalls.last { engine?.cancelKeychain(call) }
  }

  private func operation() throws -> KeychainRequest.Operation {
    let flags: AccessControlFlags = one(of: [
      [], .biometryAny, .userPresence, .devicePasscode, .applicationPassword, .biometryCurrentSet,
    ])
    let protection = one(of: [
      ProtectionClass.whenUnlocked, .afterFirstUnlock, .whenPasscodeSetThisDeviceOnly,
    ])
    let control = try AccessControl(protection, flags: flags)
    var query: QueryDictionary = ["class": .text("genp")]
    if draw(3) != 0 { query["acct"] = .text(one(of: ["x", "y", "z"])) }
    switch draw(6) {
    case 0, 1:
      query["accc"] = .accessControl(control)
      query["v_Data"] = .secret
      return .add([NewItem(query, data: .of("secret"))])
    case 2: return .update(query, changes: ["v_Data": .secret], data: .of("other"))
    case 3: return .delete(query)
    case 4: return .evaluate(control, [.decrypt])
    default:
      query["r_Data"] = .boolean(true)
      if draw(2) == 0 { query["m_Limit"] = .text("m_LimitAll") }
      return .copy(query, after: nil)
    }
  }

  func endContexts() {
    let connection = UInt64(draw(3))
    if draw(2) == 0 {
      engine?.connectionEnded(connection)
    } else {
      engine?.contextEnded(ContextIdentity(connection: connection, context: UInt64(draw(3))))
    }
  }
}
