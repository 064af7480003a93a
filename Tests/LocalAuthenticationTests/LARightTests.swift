import LocalAuthTestKit
import LocalAuthentication
import Synchronization
import Testing

@Suite
struct LARightTests {
  private func code(_ body: () async throws -> Void) async -> Int {
    do {
      try await body()
      return 0
    } catch {
      return (error as NSError).code
    }
  }

  // MARK: Rights

  @Test func newRightIsUnknown() throws {
    let right = try TestDevice.apple().use { LARight() }
    #expect(right.state == .unknown)
    #expect(right.tag == 0)
    right.tag = 7
    #expect(right.tag == 7)
    #expect(
      [LARight.State.unknown, .authorizing, .authorized, .notAuthorized].map(\.rawValue)
        == [0, 1, 2, 3]
    )
  }

  @Test func defaultRightTakesAFingerOrThePasscode() async throws {
    let device = try TestDevice.apple()
    let right = device.use { LARight() }
    try device.sensor.match()
    try await right.authorize(localizedReason: "edit")
    #expect(right.state == .authorized)
    #expect(device.prompts.first?.reason == "edit")
    let other = device.use { LARight() }
    try device.sensor.script("miss,fallback,passcode:1234")
    try await other.authorize(localizedReason: "edit")
    #expect(other.state == .authorized)
  }

  @Test func biometryTakesNoPasscode() async throws {
    let device = try TestDevice.apple()
    try await device.lockFingers()
    let right = device.use { LARight(requirement: .biometry) }
    #expect(await code { try await right.authorize(localizedReason: "edit") } == -8)
    #expect(right.state == .notAuthorized)
    for fallback in [LABiometryFallbackRequirement.default, .devicePasscode] {
      let requirement = LAAuthenticationRequirement.biometry(fallback: fallback)
      let right = device.use { LARight(requirement: requirement) }
      try device.sensor.script("passcode:1234")
      try await right.authorize(localizedReason: "edit")
      #expect(right.state == .authorized)
      try await device.lockFingers()
    }
  }

  @Test func somebodyIsAskedWhileItIsAuthorizing() async throws {
    let device = try TestDevice.apple()
    let right = device.use { LARight() }
    async let end = code { try await right.authorize(localizedReason: "edit") }
    _ = try await device.sensor.touch(.leftThumb)
    #expect(right.state == .authorizing)
    await right.deauthorize()
    #expect(await end == -9)
    #expect(right.state == .notAuthorized)
  }

  @Test func preflightThrowsWhatCannotBeProven() async throws {
    let bare = try TestDevice.apple([])
    try await bare.use { LARight() }.checkCanAuthorize()
    let right = bare.use { LARight(requirement: .biometry) }
    #expect(await code { try await right.checkCanAuthorize() } == -7)
    #expect(right.state == .unknown)
    let open = try TestDevice.apple(passcode: nil)
    #expect(await code { try await open.use { LARight() }.checkCanAuthorize() } == -5)
  }

  @Test func deauthorizedRightAsksAgain() async throws {
    let device = try TestDevice.apple()
    let right = device.use { LARight(requirement: .biometryCurrentSet) }
    await right.deauthorize()
    #expect(right.state == .notAuthorized)
    try device.sensor.match()
    try await right.authorize(localizedReason: "edit")
    await right.deauthorize()
    #expect(right.state == .notAuthorized)
    try device.sensor.script("cancel")
    #expect(await code { try await right.authorize(localizedReason: "edit") } == -2)
    #expect(right.state == .notAuthorized)
  }

  @Test func rightThatGoesEndsWhatItAsksFor() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      _ = try await LARightStore.shared.saveRight(LARight(), identifier: "vault")
    }
    for isSaved in [false, true] {
      let held = Mutex<LARight?>(nil)
      try await device.use {
        let right =
          isSaved
          ? try await LARightStore.shared.right(forIdentifier: "vault") : LARight()
        held.withLock { $0 = right }
      }
      let (codes, feed) = AsyncStream<Int>.makeStream()
      held.withLock { $0 }?.authorize(localizedReason: "short life") { error in
        feed.yield((error as NSError?)?.code ?? 0)
      }
      _ = try await device.sensor.touch(.leftThumb)
      held.withLock { $0 = nil }
      var iterator = codes.makeAsyncIterator()
      #expect(await iterator.next() == -9)
    }
  }

  // MARK: Saved rights

  @Test func secretOpensOnlyWhileTheRightIsAuthorized() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let saved = try await LARightStore.shared.saveRight(
        LARight(),
        identifier: "vault",
        secret: Data("gold".utf8)
      )
      #expect(await code { _ = try await saved.secret.rawData } == -1004)
      try device.sensor.match()
      try await saved.authorize(localizedReason: "open the vault")
      #expect(device.prompts.map(\.reason) == ["open the vault"])
      #expect(try await saved.secret.rawData == Data("gold".utf8))
      #expect(device.prompts.count == 1)
      await saved.deauthorize()
      #expect(await code { _ = try await saved.secret.rawData } == -1004)
    }
  }

  @Test func savedRightCutsALongReasonAsOthersDo() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let saved = try await LARightStore.shared.saveRight(LARight(), identifier: "vault")
      for right in [saved, LARight()] {
        try device.sensor.match()
        try await right.authorize(localizedReason: String(repeating: "why", count: 1000))
        #expect(device.prompts.last?.reason.utf8.count == 1024)
      }
    }
  }

  @Test func savedRightCallsBackWithItsDevice() async throws {
    let device = try TestDevice.apple()
    let saved = try await device.use {
      try await LARightStore.shared.saveRight(LARight(), identifier: "vault")
    }
    try device.sensor.match()
    let canEvaluate = try await withCheckedThrowingContinuation { continuation in
      saved.authorize(localizedReason: "open") { error in
        let policy = LAPolicy.deviceOwnerAuthenticationWithBiometrics
        let answer = LAContext().canEvaluatePolicy(policy, error: nil)
        continuation.resume(with: error.map { .failure($0) } ?? .success(answer))
      }
    }
    #expect(canEvaluate)
  }

  @Test func savedRightIsFoundAgain() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let store = LARightStore.shared
      _ = try await store.saveRight(LARight(requirement: .biometry), identifier: "vault")
      let found = try await store.right(forIdentifier: "vault")
      #expect(found.state == .unknown)
      try await device.lockFingers()
      #expect(await code { try await found.authorize(localizedReason: "open") } == -8)
      #expect(found.state == .notAuthorized)
    }
  }

  @Test func savedRightWithoutASecretHasAnEmptyOne() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let saved = try await LARightStore.shared.saveRight(LARight(), identifier: "door")
      try device.sensor.match()
      try await saved.authorize(localizedReason: "open")
      #expect(try await saved.secret.rawData.isEmpty)
    }
  }

  @Test func callersCanBeCalledBack() async throws {
    let device = try TestDevice.apple()
    let ends = await device.use {
      await withCheckedContinuation { (all: CheckedContinuation<[String], Never>) in
        let store = LARightStore.shared
        store.saveRight(LARight(), identifier: "a", secret: Data([1])) { saved, error in
          let ends = ["\(saved?.state == .unknown) \(error == nil)"]
          store.saveRight(LARight(), identifier: "a") { saved, error in
            let ends = ends + ["\(saved == nil) \((error as NSError?)?.code ?? 0)"]
            store.right(forIdentifier: "a") { found, _ in
              let ends = ends + ["\(found != nil) \(Thread.isMainThread)"]
              store.removeRight(forIdentifier: "a") { error in
                let ends = ends + ["\(error == nil)"]
                store.removeAllRights { error in all.resume(returning: ends + ["\(error == nil)"]) }
              }
            }
          }
        }
      }
    }
    #expect(ends == ["true true", "true -25299", "true false", "true", "true"])
  }

  @Test func secretsAreLoadedByCallback() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let saved = try await LARightStore.shared.saveRight(
        LARight(),
        identifier: "vault",
        secret: Data([1, 2])
      )
      for expected in [nil, Data([1, 2])] {
        let data = await withCheckedContinuation { continuation in
          saved.secret.loadData { data, error in
            #expect((data == nil) == (error != nil))
            continuation.resume(returning: data)
          }
        }
        #expect(data == expected)
        try device.sensor.match()
        try await saved.authorize(localizedReason: "open")
      }
    }
  }

  @Test func nameIsTakenOnce() async throws {
    let device = try TestDevice.apple()
    await device.use {
      let store = LARightStore.shared
      #expect(await code { _ = try await store.saveRight(LARight(), identifier: "a") } == 0)
      #expect(await code { _ = try await store.saveRight(LARight(), identifier: "a") } == -25299)
      #expect(await code { _ = try await store.right(forIdentifier: "b") } == -25300)
    }
  }

  @Test func removedRightIsGone() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let store = LARightStore.shared
      let one = try await store.saveRight(LARight(), identifier: "one")
      for name in ["two", "three"] { _ = try await store.saveRight(LARight(), identifier: name) }
      try await store.removeRight(one)
      #expect(await code { _ = try await store.right(forIdentifier: "one") } == -25300)
      #expect(await code { try await store.removeRight(one) } == -25300)
      try await store.removeRight(forIdentifier: "two")
      try await store.removeAllRights()
      #expect(await code { _ = try await store.right(forIdentifier: "three") } == -25300)
      try await store.removeAllRights()
      #expect(await code { try await one.authorize(localizedReason: "open") } == -25300)
      #expect(one.state == .notAuthorized)
    }
  }

  @Test func newFingerDestroysARightOfTheCurrentSet() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let saved = try await LARightStore.shared.saveRight(
        LARight(requirement: .biometryCurrentSet),
        identifier: "vault",
        secret: Data([1])
      )
      try device.sensor.match()
      try await saved.authorize(localizedReason: "open")
      try device.sensor.enroll(.leftIndex)
      #expect(await code { _ = try await saved.secret.rawData } != 0)
      await saved.deauthorize()
      #expect(await code { try await saved.authorize(localizedReason: "open") } == -25300)
    }
  }

  @Test func rightThatCannotBeProvenIsNotSaved() async throws {
    let device = try TestDevice.apple([])
    await device.use {
      let right = LARight(requirement: .biometryCurrentSet)
      let store = LARightStore.shared
      #expect(await code { _ = try await store.saveRight(right, identifier: "vault") } == -7)
      #expect(await code { _ = try await store.right(forIdentifier: "vault") } == -25300)
    }
  }
}
