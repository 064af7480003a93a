import LocalAuthTestKit
import LocalAuthentication
import Testing

@Suite
struct LAEnvironmentTests {
  private func environment(_ device: TestDevice) -> LAEnvironment {
    device.use { LAEnvironment.currentUser }
  }

  @Test func deviceWithoutASensorHasNoBiometry() throws {
    let state = environment(try TestDevice(passcode: "1234", hasSensor: false)).state
    #expect(state.biometry == nil)
    #expect(state.userPassword?.isSet == true)
    #expect(state.allMechanisms.count == 1)
  }

  @Test func biometryTellsWhatAFingerWouldMeet() async throws {
    let device = try TestDevice.apple([])
    let environment = environment(device)
    let bare = try #require(environment.state.biometry)
    #expect(bare.biometryType == .touchID)
    #expect(!bare.isEnrolled && !bare.isUsable && !bare.isLockedOut)
    #expect(bare.stateHash.isEmpty)
    try device.sensor.enroll(.rightIndex)
    let enrolled = try #require(environment.state.biometry)
    #expect(enrolled.isEnrolled && enrolled.isUsable && !enrolled.builtInSensorInaccessible)
    #expect(!enrolled.localizedName.isEmpty && !enrolled.iconSystemName.isEmpty)
    try await device.lockFingers()
    let locked = try #require(environment.state.biometry)
    #expect(locked.isEnrolled && locked.isLockedOut && !locked.isUsable)
    #expect(!bare.isEnrolled, "a state is how it was")
  }

  @Test func unpluggedSensorIsInaccessible() throws {
    let device = try TestDevice.apple()
    try device.sensor.unplug()
    let biometry = try #require(environment(device).state.biometry)
    #expect(biometry.builtInSensorInaccessible && !biometry.isUsable && biometry.isEnrolled)
  }

  @Test func userPasswordTellsWhetherItIsSet() throws {
    let device = try TestDevice.apple()
    #expect(environment(device).state.userPassword?.isUsable == true)
    try device.removePasscode()
    let password = try #require(environment(device).state.userPassword)
    #expect(!password.isSet && !password.isUsable)
  }

  @Test func nothingIsPaired() throws {
    let state = environment(try .apple()).state
    #expect(state.companions.isEmpty)
    #expect(state.allMechanisms.count == 2)
    #expect(state.allMechanisms.contains { $0 is LAEnvironment.MechanismBiometry })
    #expect(state.allMechanisms.contains { $0 is LAEnvironment.MechanismUserPassword })
  }

  @Test func addingAndRemovingAFingerDoesNotRestoreTheHash() throws {
    let device = try TestDevice.apple()
    let environment = environment(device)
    var seen = [environment.state.biometry?.stateHash]
    try device.sensor.enroll(.leftIndex)
    seen.append(environment.state.biometry?.stateHash)
    try device.sensor.remove(.leftIndex)
    seen.append(environment.state.biometry?.stateHash)
    #expect(Set(seen).count == 3)
  }

  @Test func equalStatesAreEqual() throws {
    let device = try TestDevice.apple()
    let (one, other) = (environment(device).state, environment(device).state)
    #expect(one == other)
    #expect(one.hash == other.hash)
    #expect(one.copy() as? LAEnvironment.State == one)
    try device.sensor.enroll(.leftIndex)
    #expect(environment(device).state != one)
  }

  @Test func observerHearsTheOldState() async throws {
    let device = try TestDevice.apple([])
    let environment = environment(device)
    let watcher = Watcher()
    environment.addObserver(watcher)
    try device.sensor.enroll(.rightIndex)
    var changes = watcher.changes.makeAsyncIterator()
    let change = try #require(await changes.next())
    #expect(change.old.biometry?.isEnrolled == false)
    #expect(change.now.biometry?.isEnrolled == true)
    #expect(!change.onMain)
    environment.removeObserver(watcher)
  }

  @Test func observerHearsOfALockout() async throws {
    let device = try TestDevice.apple()
    let watcher = Watcher()
    environment(device).addObserver(watcher)
    try await device.lockFingers()
    for await change in watcher.changes where change.now.biometry?.isLockedOut == true { break }
    environment(device).removeObserver(watcher)
  }

  @Test func removedObserverHearsNothing() async throws {
    let device = try TestDevice.apple()
    let (removed, kept) = (Watcher(), Watcher())
    environment(device).addObserver(removed)
    environment(device).addObserver(kept)
    environment(device).removeObserver(removed)
    environment(device).removeObserver(removed)
    try device.removePasscode()
    var changes = kept.changes.makeAsyncIterator()
    #expect(await changes.next()?.now.userPassword?.isSet == false)
    environment(device).removeObserver(kept)
    removed.finish()
    for await _ in removed.changes { Issue.record("a call after the end") }
  }

  @Test func observerIsNotKept() throws {
    let device = try TestDevice.apple()
    weak var gone: Watcher?
    do {
      let watcher = Watcher()
      gone = watcher
      environment(device).addObserver(watcher)
    }
    #expect(gone == nil)
    try device.sensor.enroll(.leftIndex)
  }
}

/// An observer that tells a test what it hears.
private final class Watcher: LAEnvironment.Observer, Sendable {
  typealias Change = (old: LAEnvironment.State, now: LAEnvironment.State, onMain: Bool)

  let changes: AsyncStream<Change>
  private let feed: AsyncStream<Change>.Continuation

  init() { (changes, feed) = AsyncStream.makeStream() }

  func environment(
    _ environment: LAEnvironment,
    stateDidChangeFromOldState oldState: LAEnvironment.State
  ) {
    feed.yield((oldState, environment.state, Thread.isMainThread))
  }

  func finish() { feed.finish() }
}
