import Glibc
import LocalAuth
import LocalAuthTestKit
import Security

// What stands behind Apple's names, for the comparison with the Swift API and with libcrypto: each
// prints nanoseconds for one call and a checksum.
//
// usage: localauth-apple secitem|keychain|sha256|hmac|crypt COUNT

func measure(_ count: Int, _ body: () async throws -> UInt64) async throws {
  _ = try await body()
  var checksum: UInt64 = 0
  let clock = ContinuousClock()
  let start = clock.now
  for _ in 0..<count { checksum = checksum &* 31 &+ (try await body()) }
  report(clock.now - start, count, checksum)
}

func report(_ time: Duration, _ count: Int, _ checksum: UInt64) {
  let (seconds, attoseconds) = time.components
  let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  print(nanoseconds / Double(count), String(checksum, radix: 16))
}

func word(_ bytes: [UInt8]) -> UInt64 { bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) } }

func fail(_ what: String) -> Never {
  print("localauth-apple: \(what)")
  exit(1)
}

// MARK: The keychain

func readItem(_ count: Int, _ body: (Keychain) async throws -> UInt64) async throws {
  let device = try TestDevice()
  let keychain = Keychain(device: device.device, service: "org.example.bench")
  try await keychain.set("0123456789abcdef", for: "ann")
  try await device.use { try await measure(count) { try await body(keychain) } }
}

func secItem() throws -> UInt64 {
  let query: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrService as String: "org.example.bench",
    kSecAttrAccount as String: "ann",
    kSecReturnData as String: true,
  ]
  var result: CFTypeRef?
  guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
    let data = result as? Data
  else { fail("the item cannot be read") }
  return word([UInt8](data))
}

// MARK: The program

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]) else {
  fail("usage: localauth-apple secitem|keychain|sha256|hmac|crypt COUNT")
}
switch arguments[1] {
case "secitem": try await readItem(count) { _ in try secItem() }
case "keychain":
  try await readItem(count) { keychain in
    guard let secret = try await keychain.secret(for: "ann") else { fail("there is no item") }
    return secret.withUnsafeBytes { word([UInt8]($0)) }
  }
case "sha256": measureNow(count, sha256)
case "hmac": measureNow(count, hmac)
case "crypt": measureNow(count, crypt)
default: fail("'\(arguments[1])' is no comparison")
}
