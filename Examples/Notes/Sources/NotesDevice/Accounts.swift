import Foundation
import LocalAuth
import LocalAuthFiles
import LocalAuthentication
import NotesCore
import Security

/// The account in the keychain: a profile, which a backup takes along, and what opens it, which stays here.
struct Accounts {
  /// What everybody may know who can use the unlocked device.
  struct Profile: Codable, Equatable {
    let identifier: UUID
    let name: String
    /// How often in a row name or password were wrong.
    var misses = 0
  }

  private let service: String
  private let protection: DeviceProtection
  private let device: Device

  /// The account of the app called `service`.
  init(service: String, _ protection: DeviceProtection, on device: Device) {
    self.service = service
    self.protection = protection
    self.device = device
  }

  // MARK: The items

  /// Class "when unlocked", so that it comes with a backup to a new phone.
  var profile: AppItem {
    AppItem("profile", of: service, accessible: kSecAttrAccessibleWhenUnlocked)
  }

  /// What the password opens; the keychain judges the password, and counts wrong ones too.
  func password(of identifier: UUID) -> AppItem {
    AppItem(
      "\(identifier) by password",
      of: service,
      accessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
      asksFor: .applicationPassword
    )
  }

  /// What a finger opens that was enrolled when it was made; it ends with the passcode and with the set of fingers.
  func touch(of identifier: UUID) -> AppItem {
    AppItem(
      "\(identifier) by touch",
      of: service,
      accessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
      asksFor: .biometryCurrentSet
    )
  }

  /// What the device's passcode opens, after too many misses of the finger.
  func passcode(of identifier: UUID) -> AppItem {
    AppItem(
      "\(identifier) by passcode",
      of: service,
      accessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
      asksFor: .devicePasscode
    )
  }

  // MARK: Looking

  /// What there is, as far as the device can be read.
  func look() -> Look {
    if let obstacle = protection.obstacle { return .unavailable(obstacle) }
    do throws(AppItem.Failure) {
      guard let profile = try readProfile() else { return believed(.none) }
      guard try password(of: profile.identifier).exists() else {
        return believed(.keyless(name: profile.name))
      }
      return .available(.whole(name: profile.name, touch: try touchState(of: profile)))
    } catch {
      return .unavailable(protection.obstacle ?? (error == .locked ? .locked : .unreachable))
    }
  }

  /// "Not found" counts only if the device could be read until now.
  private func believed(_ account: Account) -> Look {
    protection.obstacle.map { .unavailable($0) } ?? .available(account)
  }

  func readProfile() throws(AppItem.Failure) -> Profile? {
    guard let data = try profile.data() else { return nil }
    do { return try JSONDecoder().decode(Profile.self, from: data) } catch {
      throw .other(errSecDecode)
    }
  }

  private func write(_ profile: Profile) throws(AppItem.Failure) {
    guard let data = try? JSONEncoder().encode(profile) else { throw .other(errSecParam) }
    try self.profile.put(data)
  }

  // MARK: Making

  /// Makes an account that this password opens, or gives one that came from a backup a new password.
  ///
  /// - Returns: what a finger can do for it.
  func create(
    name: String,
    password: borrowing Secret
  ) throws(AppItem.Failure) -> Touch {
    let profile = Profile(identifier: UUID(), name: name)
    // The profile first: without what opens it, it is an account that needs a password, and nothing is lost.
    try write(profile)
    try self.password(of: profile.identifier).add(Data(), Self.context(with: password))
    return renewTouch()
  }

  /// Lets the fingers that are enrolled now, and the passcode, open the account.
  ///
  /// - Returns: what a finger can do for it.
  func renewTouch() -> Touch {
    do throws(AppItem.Failure) {
      guard let profile = try readProfile() else { return .unusable }
      guard try touchState(of: profile) == .gone else { return try touchState(of: profile) }
      for item in [touch(of: profile.identifier), passcode(of: profile.identifier)] {
        // What an old one is bound to is gone, so that nothing could change it.
        try item.delete()
        try item.add(Data())
      }
      return try touchState(of: profile)
    } catch { return .unusable }
  }

  /// Deletes everything of the account.
  func reset() throws(AppItem.Failure) {
    if let profile = try readProfile() {
      try password(of: profile.identifier).delete()
      try touch(of: profile.identifier).delete()
      try passcode(of: profile.identifier).delete()
    }
    try profile.delete()
  }

  // MARK: Logging in

  /// Opens the account with name and password.
  ///
  /// A wrong name takes as long as a wrong password and gets the same answer. The attempt is counted before the keychain
  /// judges it, so that ending the app gives none back.
  func logIn(name: String, password: borrowing Secret) -> LoginAnswer {
    answer { () throws(AppItem.Failure) in
      guard var profile = try readProfile() else { return .wrong(times: 1) }
      profile.misses += 1
      try write(profile)
      let item = self.password(of: profile.identifier)
      do throws(AppItem.Failure) {
        let opened = try item.data(Self.context(with: password))
        guard opened != nil, name == profile.name else { return .wrong(times: profile.misses) }
      } catch .refused { return .wrong(times: profile.misses) }
      return try opened(profile)
    }
  }

  /// Opens the account with a finger: `LAContext` asks, and the keychain believes its proof.
  func logInByTouch(reason: String) -> LoginAnswer {
    logIn(reason: reason) { touch(of: $0.identifier) }
  }

  /// Opens the account with the device's passcode, in the same way.
  func logInByPasscode(reason: String) -> LoginAnswer {
    logIn(reason: reason) { passcode(of: $0.identifier) }
  }

  private func logIn(reason: String, _ item: (Profile) -> AppItem) -> LoginAnswer {
    answer { () throws(AppItem.Failure) in
      guard let profile = try readProfile() else { return .canceled }
      let item = item(profile)
      let context = LAContext()
      context.localizedFallbackTitle = "use the password of the notes"
      if let refusal = context.refusal(of: try item.access(), reason) { return refusal }
      // The context has proven it: the keychain asks nobody again.
      context.interactionNotAllowed = true
      do throws(AppItem.Failure) {
        return try item.data(context) == nil ? .touchGone : try opened(profile)
      } catch .refused { return .touchGone }
    }
  }

  private func opened(_ profile: Profile) throws(AppItem.Failure) -> LoginAnswer {
    if try readProfile()?.misses != 0 {
      try write(Profile(identifier: profile.identifier, name: profile.name))
    }
    return .opened(touch: try touchState(of: profile))
  }

  /// A device that is locked meanwhile explains everything.
  private func answer(
    _ body: () throws(AppItem.Failure) -> LoginAnswer
  ) -> LoginAnswer {
    do throws(AppItem.Failure) {
      let answer = try body()
      guard case .canceled = answer, protection.obstacle != nil else { return answer }
      return .locked
    } catch .locked { return .locked } catch { return .failed(NotesApp.words(of: error)) }
  }

  // MARK: Fingers and passwords

  /// What a finger can do, by `LAContext`'s word.
  private func touchState(of profile: Profile) throws(AppItem.Failure) -> Touch {
    var problem: NSError?
    let isReady = LAContext().canEvaluatePolicy(
      .deviceOwnerAuthenticationWithBiometrics,
      error: &problem
    )
    guard let password = LAEnvironment.currentUser.state.userPassword else { return .unusable }
    guard password.isSet else { return .noPasscode }
    if isReady { return try touch(of: profile.identifier).exists() ? .ready : .gone }
    guard problem?.code == LAError.biometryLockout.rawValue,
      try passcode(of: profile.identifier).exists()
    else { return .unusable }
    return passcodeState
  }

  /// What the passcode can do after too many misses, by LocalAuth's own word: Apple's interface does not say how long a
  /// throttled passcode has to wait.
  private var passcodeState: Touch {
    do throws(AuthError) {
      try AuthContext(device: device).canEvaluate(.passcode)
      return .lockedOut
    } catch .passcodeThrottled(let wait) { return .throttled(wait) } catch { return .lockedOut }
  }

  /// A context that has the password and asks nobody.
  private static func context(with password: borrowing Secret) -> LAContext {
    let context = LAContext()
    context.interactionNotAllowed = true
    // The context keeps a copy in memory that is wiped.
    password.withData { _ = context.setCredential($0, type: .applicationPassword) }
    return context
  }
}
