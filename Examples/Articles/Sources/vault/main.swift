import LocalAuthTestKit
import Security

// In place of a person: the sensor of a simulated device. On your own machine leave these three lines out.
let device = try TestDevice(fingers: [.rightIndex], passcode: "2468")
device.useForProcess()
try device.sensor.script("match")

var item: [CFString: Any] = [
  kSecClass: kSecClassGenericPassword,
  kSecAttrService: "mail",
  kSecAttrAccount: "ann",
]

// It opens for a finger or the passcode, on this device alone.
let access = SecAccessControlCreateWithFlags(
  nil,
  kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
  .userPresence,
  nil
)
item[kSecAttrAccessControl] = access
item[kSecValueData] = Data("hunter2".utf8)
print("Added:", SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
print("Once more:", SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem)

item[kSecAttrAccessControl] = nil
item[kSecValueData] = nil
item[kSecReturnData] = true
var found: CFTypeRef?
let status = SecItemCopyMatching(item as CFDictionary, &found)
print("Found:", status == errSecSuccess && found as? Data == Data("hunter2".utf8))
print("Asked:", device.prompts.count, "time")
