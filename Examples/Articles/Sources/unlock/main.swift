import Foundation
import LocalAuthTestKit
import LocalAuthentication

// In place of a person: the sensor of a simulated device. On your own machine leave these three lines out.
let device = try TestDevice(fingers: [.rightIndex], passcode: "2468")
device.useForProcess()
try device.sensor.script("miss, match")

let context = LAContext()
var problem: NSError?
guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &problem) else {
  fatalError("nobody can be asked: \(String(describing: problem))")
}
do {
  try await context.evaluatePolicy(
    .deviceOwnerAuthenticationWithBiometrics,
    localizedReason: "open the vault"
  )
  print("Open.")
} catch LAError.userCancel {
  print("Not now.")
}

try device.sensor.script("cancel")
do {
  try await LAContext().evaluatePolicy(
    .deviceOwnerAuthentication,
    localizedReason: "open the vault"
  )
  print("Open.")
} catch LAError.userCancel {
  print("Not now.")
}
