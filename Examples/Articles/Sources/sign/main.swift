import LocalAuthTestKit
import SecureEnclave

// In place of a person: the sensor of a simulated device. On your own machine leave these three lines out.
let device = try TestDevice(fingers: [.rightIndex], passcode: "2468")
device.useForProcess()
try device.sensor.script("match")

guard
  let access = SecAccessControlCreateWithFlags(
    nil,
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    [.privateKeyUsage, .biometryCurrentSet],
    nil
  )
else { fatalError("these flags do not go together") }

// The key never leaves the keychain; what is kept is a reference to it.
let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: access)
let reference = key.dataRepresentation

let again = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: reference)
let message = Data("pay 10 to ann".utf8)
let signature: SecureEnclave.P256.Signing.ECDSASignature = try again.signature(for: message)
let publicKey: SecureEnclave.P256.Signing.PublicKey = again.publicKey
print("Valid:", publicKey.isValidSignature(signature, for: message))
print("For another message:", publicKey.isValidSignature(signature, for: Data("pay 99".utf8)))
