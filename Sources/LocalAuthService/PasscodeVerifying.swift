public import LocalAuthCore
public import LocalAuthSecret

/// The port to the device passcode's verifier: slow on purpose, so it never runs on the loop.
public protocol PasscodeVerifying: Sendable {
  /// Says whether `passcode` is the one behind `verifier`; nil when that could not be found out.
  ///
  /// `completion` runs on a thread of the verifier's own, once.
  func verify(
    _ passcode: SecretBox,
    against verifier: [UInt8],
    of device: DeviceIdentity,
    completion: @escaping @Sendable (Bool?) -> Void
  )

  /// Makes the verifier of a new passcode; nil when that failed.
  ///
  /// `completion` runs on a thread of the verifier's own, once.
  func makeVerifier(
    for passcode: SecretBox,
    of device: DeviceIdentity,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  )
}
