import Glibc
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

/// What is left of private keys in the memory of this process once they are gone.
@Suite(
  .serialized,
  .disabled(if: Sanitizer.isActive, "a sanitizer keeps terabytes of memory of its own")
)
struct KeysInMemoryTests {
  /// Uses a key for all that it can do, and leaves its bytes in `scan` only.
  private func use(_ curve: KeyCurve, _ scan: MemoryScan) throws {
    let key = try PrivateKey.generate(curve)
    let peer = try PrivateKey.generate(curve).publicKey
    for algorithm in curve.algorithms {
      switch algorithm.operation {
      case .signMessage: _ = try key.sign([1, 2, 3], by: algorithm)
      case .signDigest(let digest):
        _ = try key.sign([UInt8](repeating: 1, count: digest.size), by: algorithm)
      case .exchange: _ = try key.exchange(with: peer, by: algorithm)
      }
    }
    scan.lookFor(key.serialize())
  }

  @Test(arguments: KeyCurve.allCases) func noCopyOfAKeyIsLeft(_ curve: KeyCurve) throws {
    let scan = MemoryScan()
    try use(curve, scan)
    #expect(scan.findings() == [])
  }

  @Test func aCopyWouldBeFound() throws {
    let scan = MemoryScan()
    let key = try PrivateKey.generate(.p256).serialize()
    let copy = Sample.bytes(key) ?? []
    scan.lookFor(Sample.secret(copy))
    #expect(!scan.findings().isEmpty)
    #expect(copy.count == 32)
  }
}
