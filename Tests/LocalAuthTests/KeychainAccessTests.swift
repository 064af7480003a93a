import LocalAuth
import LocalAuthTestKit
import Synchronization
import Testing

/// From the simulated sensor to the secret.
@Suite
struct KeychainAccessTests {
  private let anyFinger: AccessControl
  private let currentSet: AccessControl
  private let either: AccessControl

  init() throws {
    anyFinger = try AccessControl(.whenUnlocked, flags: .biometryAny)
    currentSet = try AccessControl(.whenUnlocked, flags: .biometryCurrentSet)
    either = try AccessControl(.whenUnlocked, flags: [.biometryAny, .or, .devicePasscode])
  }

  /// A device whose account `ann` has the secret `secret` under an access control.
  private func device(_ accessControl: AccessControl) async throws -> TestDevice {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try await device.keychain().set("secret", for: "ann", accessControl: accessControl)
    return device
  }

  private func failure<Value>(
    _ body: () async throws(KeychainFailure) -> Value
  ) async -> KeychainFailure? {
    do throws(KeychainFailure) {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test func itemOpensOnAMatchAndTheContextRemembers() async throws {
    let device = try await device(anyFinger)
    let keychain = device.keychain()
    try device.sensor.script("miss, match:right-index")
    #expect(try await keychain.string(for: "ann", reason: "read mail") == "secret")
    #expect(device.prompts.last?.reason == "read mail")
    let shown = device.prompts.count
    #expect(try await keychain.string(for: "ann") == "secret")
    #expect(device.prompts.count == shown)
  }

  @Test func threeMissesAreLockout() async throws {
    let device = try await device(anyFinger)
    try device.sensor.miss(times: 3)
    let failure = await failure { () async throws(KeychainFailure) in
      try await device.keychain().string(for: "ann")
    }
    #expect(failure == .authentication(.biometryLockout(retryAfter: nil)))
    #expect(failure?.exit == 10)
    #expect(failure?.status == .authFailed)
  }

  @Test func passcodeIsEnoughWhereTheItemSaysOr() async throws {
    let device = try await device(either)
    try device.sensor.script("fallback, passcode:1234")
    #expect(try await device.keychain().string(for: "ann") == "secret")
  }

  @Test func nobodyIsAskedWhereNobodyMayBe() async throws {
    let device = try await device(anyFinger)
    let silent = device.context()
    silent.interactionNotAllowed = true
    let keychains = [Keychain(context: silent), Keychain(device: device.device)]
    for keychain in keychains {
      let failure = await failure { () async throws(KeychainFailure) in
        try await keychain.string(for: "ann")
      }
      #expect(failure == .authentication(.notInteractive))
      #expect(failure?.exit == 5)
      #expect(failure?.status == .interactionNotAllowed)
    }
    #expect(device.prompts.isEmpty)
  }

  @Test func interactionDecidesWhetherItFailsIsSkippedOrAsks() async throws {
    let device = try await device(anyFinger)
    let keychain = device.keychain()
    try await keychain.set("open", for: "bob")
    var query = KeychainQuery.genericPasswords(service: "")
    query.interaction = .skip
    #expect(try await keychain.items(matching: query).map(\.account) == ["bob"])
    #expect(try await keychain.accounts(interaction: .skip) == ["bob"])
    query.interaction = .fail
    let failure = await failure { () async throws(KeychainFailure) in
      try await keychain.items(matching: query)
    }
    #expect(failure == .authentication(.notInteractive))
    query.interaction = .allow
    try device.sensor.match()
    #expect(try await keychain.items(matching: query).count == 2)
  }

  @Test func anotherContextAsksAgain() async throws {
    let device = try await device(anyFinger)
    try device.sensor.match()
    let first = device.context()
    _ = try await Keychain(context: first).string(for: "ann")
    try device.sensor.script("cancel")
    let failure = await failure { () async throws(KeychainFailure) in
      try await Keychain(context: device.context()).string(for: "ann")
    }
    #expect(failure == .authentication(.userCancel))
    #expect(failure?.status == .userCanceled)
    #expect(try await Keychain(context: first).string(for: "ann") == "secret")
  }

  @Test func everyKeychainOfAContextSharesWhatIsProven() async throws {
    let device = try await device(anyFinger)
    try device.sensor.match()
    let context = device.context()
    _ = try await Keychain(context: context).string(for: "ann")
    #expect(try await Keychain(context: context).string(for: "ann") == "secret")
    #expect(device.prompts.count == 1)
  }

  @Test func promptNamesTheItemAndIsForNoOther() async throws {
    let device = try await device(anyFinger)
    let keychain = device.keychain()
    try await keychain.set("two", for: "bob", accessControl: anyFinger)
    for account in ["ann", "bob"] {
      try device.sensor.match()
      _ = try await keychain.string(for: account)
      #expect(device.prompts.last?.items?.names.map(\.account) == [account])
      #expect(device.prompts.last?.items?.count == 1)
    }
    #expect(device.prompts.count == 2)
    _ = try await keychain.string(for: "ann")
    #expect(device.prompts.count == 2)
  }

  @Test func itemThatAsksAtEachUseAsksInOneContextToo() async throws {
    let device = try await device(
      AccessControl(.whenUnlocked, flags: [.biometryAny, .eachUse])
    )
    let keychain = device.keychain()
    for count in 1...3 {
      try device.sensor.match()
      #expect(try await keychain.string(for: "ann") == "secret")
      #expect(device.prompts.count == count)
    }
  }

  @Test func callsWithoutContextAskEachOnItsOwn() async throws {
    let device = try await device(anyFinger)
    try await device.keychain().set("two", for: "bob", accessControl: anyFinger)
    let asked = Atomic<Int>(0)
    let watcher = PromptWatcher { _, _ in asked.add(1, ordering: .relaxed) }
    let keychain = Keychain(device: device.device, prompter: .custom(watcher))
    for count in 1...3 {
      try device.sensor.match()
      #expect(try await keychain.string(for: "ann") == "secret")
      #expect(asked.load(ordering: .relaxed) == count)
    }
    // Both at once are one call.
    try device.sensor.match()
    let query = KeychainQuery.genericPasswords(service: "")
    #expect(try await keychain.items(matching: query, withData: true).count == 2)
    #expect(asked.load(ordering: .relaxed) == 4)
  }

  @Test func invalidatedContextIsRefused() async throws {
    let device = try await device(anyFinger)
    let context = device.context()
    let keychain = Keychain(context: context)
    try device.sensor.match()
    _ = try await keychain.string(for: "ann")
    context.invalidate()
    let failure = await failure { () async throws(KeychainFailure) in
      try await keychain.string(for: "ann")
    }
    #expect(failure == .authentication(.invalidContext))
    #expect(failure?.exit == 9)
    #expect(failure?.status == .authFailed)
  }

  @Test func evaluatingAnAccessControlBeforehandSavesThePrompt() async throws {
    let device = try await device(anyFinger)
    let context = device.context()
    try device.sensor.match()
    let evaluation = try await context.evaluateAccessControl(anyFinger, reason: "open the vault")
    #expect(evaluation?.finger == .rightIndex)
    #expect(evaluation?.isSimulated == true)
    #expect(device.prompts.map(\.reason) == ["open the vault"])
    #expect(try await Keychain(context: context).string(for: "ann") == "secret")
    #expect(try await context.evaluateAccessControl(anyFinger, reason: "again") == nil)
    #expect(device.prompts.count == 1)
  }

  @Test func evaluationForOneAccessControlIsNoneForAnother() async throws {
    let device = try await device(either)
    let context = device.context()
    try device.sensor.match()
    try await context.evaluateAccessControl(anyFinger, reason: "the other")
    try device.sensor.script("cancel")
    let failure = await failure { () async throws(KeychainFailure) in
      try await Keychain(context: context).string(for: "ann")
    }
    #expect(failure == .authentication(.userCancel))
  }

  @Test func evaluationOfAnAccessControlNeedsAReasonAndAValidContext() async throws {
    let device = try await device(anyFinger)
    let context = device.context()
    do throws(AuthError) {
      try await context.evaluateAccessControl(anyFinger)
      Issue.record("nobody read a reason")
    } catch {
      #expect(error.outcome == .usage)
    }
    context.invalidate()
    await #expect(throws: AuthError.invalidContext) {
      try await context.evaluateAccessControl(anyFinger, reason: "late")
    }
  }

  @Test func newFingerDestroysAnItemOfTheCurrentSet() async throws {
    let device = try await device(currentSet)
    try device.sensor.match()
    #expect(try await device.keychain().string(for: "ann") == "secret")
    try device.sensor.enroll(.leftIndex)
    #expect(try await device.keychain().string(for: "ann") == nil)
    try await device.keychain().set("anew", for: "ann", accessControl: currentSet)
    try device.sensor.match(.leftIndex)
    #expect(try await device.keychain().string(for: "ann") == "anew")
  }

  @Test func itemForFingersCannotBeAddedWhereThereAreNone() async throws {
    let device = try TestDevice(passcode: "1234")
    let failure = await failure { () async throws(KeychainFailure) in
      try await device.keychain().set("secret", for: "ann", accessControl: anyFinger)
    }
    #expect(failure == .authentication(.biometryNotEnrolled))
  }

  @Test func lockedDeviceKeepsItemsShutAfterTheGrace() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let keychain = device.keychain()
    try await keychain.set("unlocked", for: "ann")
    let afterFirst = AccessControl(.afterFirstUnlock)
    try await keychain.set("first", for: "bob", accessControl: afterFirst)
    try device.lock()
    try device.clock.advance(by: .seconds(11))
    let failure = await failure { () async throws(KeychainFailure) in
      try await keychain.string(for: "ann")
    }
    #expect(failure == .locked)
    #expect(failure?.exit == 22)
    #expect(failure?.status == .interactionNotAllowed)
    #expect(try await keychain.string(for: "bob") == "first")
    try device.unlock()
    #expect(try await keychain.string(for: "ann") == "unlocked")
  }

  @Test func applicationPasswordOfTheContextOpensWhatWasMadeWithIt() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let own = try AccessControl(.whenUnlocked, flags: .applicationPassword)
    func keychain(_ password: String?) -> Keychain {
      let context = device.context()
      context.setCredential(password.map { Secret(copying: $0.utf8) }, type: .applicationPassword)
      return Keychain(context: context)
    }
    try await keychain("open sesame").set("gold", for: "cave", accessControl: own)
    #expect(try await keychain("open sesame").string(for: "cave") == "gold")
    for wrong in ["open barley", nil] {
      let failure = await failure { () async throws(KeychainFailure) in
        try await keychain(wrong).string(for: "cave")
      }
      #expect(failure?.status == .authFailed)
    }
  }

  @Test func aWrongApplicationPasswordIsForgottenAndARightOneOutlivesMisses() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let both = try AccessControl(.whenUnlocked, flags: [.applicationPassword, .biometryAny])
    let context = device.context()
    let keychain = Keychain(context: context)
    context.setCredential(Secret(copying: "open sesame".utf8), type: .applicationPassword)
    try await keychain.set("gold", for: "cave", accessControl: both)
    try device.sensor.script("miss,miss,miss")
    _ = await failure { () async throws(KeychainFailure) in try await keychain.string(for: "cave") }
    #expect(context.isCredentialSet(.applicationPassword))
    context.setCredential(Secret(copying: "open barley".utf8), type: .applicationPassword)
    try device.unlock()
    try device.sensor.match()
    let failure = await failure { () async throws(KeychainFailure) in
      try await keychain.string(for: "cave")
    }
    #expect(failure?.status == .authFailed)
    #expect(!context.isCredentialSet(.applicationPassword))
    context.setCredential(Secret(copying: "open sesame".utf8), type: .applicationPassword)
    try device.sensor.match()
    #expect(try await keychain.string(for: "cave") == "gold")
  }

  // MARK: Ending

  @Test func cancellingTheTaskIsAppCancelAndFreesThePrompt() async throws {
    let device = try await device(anyFinger)
    let watcher = PromptWatcher()
    let context = AuthContext(device: device.device)
    context.prompter = .custom(watcher)
    let keychain = Keychain(context: context)
    let task = Task { () async -> KeychainFailure? in
      await failure { () async throws(KeychainFailure) in try await keychain.string(for: "ann") }
    }
    _ = await watcher.nextPrompt()
    // Behind a call that waits for a person another waits for its turn, and gives up too.
    let second = Task { () async -> KeychainFailure? in
      await failure { () async throws(KeychainFailure) in try await keychain.string(for: "bob") }
    }
    second.cancel()
    #expect(await second.value == .authentication(.appCancel))
    task.cancel()
    #expect(await task.value == .authentication(.appCancel))
    try device.sensor.match()
    #expect(try await device.keychain().string(for: "ann") == "secret")
  }

  @Test func cancellingAtAnyMomentEndsTheCall() async throws {
    let device = try await device(anyFinger)
    let keychain = device.keychain()
    let ends = await withTaskGroup(of: KeychainFailure?.self) { group in
      for round in 1...200 {
        let task = Task { () async -> KeychainFailure? in
          await failure { () async throws(KeychainFailure) in
            try await keychain.string(for: "ann")
          }
        }
        group.addTask {
          for _ in 0..<round % 40 { await Task.yield() }
          task.cancel()
          return await task.value
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends.count == 200)
    #expect(ends.allSatisfy { $0 == .authentication(.appCancel) })
  }

  @Test func invalidatingEndsWhatRunsAndWhatWaits() async throws {
    let device = try await device(anyFinger)
    let watcher = PromptWatcher()
    let context = AuthContext(device: device.device)
    context.prompter = .custom(watcher)
    let keychain = Keychain(context: context)
    let tasks = (1...3).map { _ in
      Task { () async -> KeychainFailure? in
        await failure { () async throws(KeychainFailure) in try await keychain.string(for: "ann") }
      }
    }
    _ = await watcher.nextPrompt()
    context.invalidate()
    for task in tasks {
      let end = await task.value
      // One may not have begun yet.
      #expect(
        end == .authentication(.appCancel) || end == .authentication(.invalidContext)
      )
    }
  }

  @Test func personIsAskedInTheContextsWords() async throws {
    let device = try await device(either)
    let watcher = PromptWatcher { _, conversation in conversation.cancel() }
    let context = AuthContext(device: device.device)
    context.prompter = .custom(watcher)
    context.localizedReason = "because"
    context.localizedCancelTitle = "Not now"
    let failure = await failure { () async throws(KeychainFailure) in
      try await Keychain(context: context).string(for: "ann")
    }
    #expect(failure == .authentication(.userCancel))
    var events = watcher.events.makeAsyncIterator()
    guard case .prompt(let prompt) = await events.next() else {
      Issue.record("no prompt")
      return
    }
    #expect(prompt.reason == "because")
    #expect(prompt.cancelTitle == "Not now")
  }
}
