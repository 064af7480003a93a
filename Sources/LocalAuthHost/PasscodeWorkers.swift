import LocalAuthCore
import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix

/// Judges device passcodes on threads of its own: each judgement costs what a guess shall cost.
final class PasscodeWorkers: PasscodeVerifying {
  private let verifier: PasscodeVerifier
  private let cost: PasscodeCost
  private let threads: WorkerPool

  init(_ verifier: PasscodeVerifier, cost: PasscodeCost, on threads: WorkerPool) {
    self.verifier = verifier
    self.cost = cost
    self.threads = threads
  }

  func verify(
    _ passcode: SecretBox,
    against stored: [UInt8],
    of device: DeviceIdentity,
    completion: @escaping @Sendable (Bool?) -> Void
  ) {
    let isAccepted = threads.submit { [verifier] in
      guard let passcode = passcode.take() else { return completion(nil) }
      completion(try? verifier.verify(passcode: passcode, against: stored, for: device))
    }
    if !isAccepted { completion(nil) }
  }

  func makeVerifier(
    for passcode: SecretBox,
    of device: DeviceIdentity,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    let isAccepted = threads.submit { [verifier, cost] in
      guard let passcode = passcode.take() else { return completion(nil) }
      completion(try? verifier.create(passcode: passcode, cost: cost, for: device))
    }
    if !isAccepted { completion(nil) }
  }
}
