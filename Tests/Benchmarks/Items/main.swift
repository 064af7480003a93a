import Glibc
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthStore

// Fills a keychain with real items, and reads them as the daemon does but without sockets, for the
// comparison with items.c: the same rows in the same order, and the same checksum.
//
// usage: localauth-items fill|read|look HOME DEVICE COUNT

/// SplitMix64.
struct Course: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 4, let count = Int(arguments[3]) else {
  print("usage: localauth-items fill|read|look HOME DEVICE COUNT")
  exit(2)
}
let home = try Home(arguments[1], device: arguments[2])
switch arguments[0] {
case "fill": try home.fill(count)
case "read": try home.read(count, attributesToo: false)
case "look": try home.read(count, attributesToo: true)
default: exit(2)
}
home.store.close()
