import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

@Suite struct KeyDerivationTests {
  private func derive(_ parts: [[UInt8]], _ info: String = "item") throws -> [UInt8] {
    var material = KeyMaterial(parts: parts.count)
    for part in parts {
      let isAdded = material.add(Sample.secret(part))
      try #require(isAdded)
    }
    return Sample.bytes(KeyDerivation.derive(from: material, info: Array(info.utf8))) ?? []
  }

  /// Computed by Python's hmac as RFC 5869 says, of each part behind its length.
  @Test func agreesWithAnotherProgram() throws {
    #expect(
      try derive([[1, 2, 3], [], [9, 8]])
        == Sample.bytes("31a9680ed19478c267d6c4c3634df0721983db935642e4388c33a692ef7ea666")
    )
  }

  @Test func everyPartAndTheInfoDecide() throws {
    let keys = try [
      derive([[1], [2]]), derive([[2], [1]]), derive([[1, 2]]), derive([[1, 2], []]),
      derive([[], [1, 2]]), derive([[1]]), derive([[1], [2]], "other"), derive([]),
    ]
    #expect(Set(keys).count == keys.count)
  }

  @Test func thereIsNoRoomForMoreThanWasSaid() {
    var material = KeyMaterial(parts: 1)
    let tooLong = [UInt8](repeating: 1, count: KeyMaterial.longestPart + 1)
    let longest = [UInt8](repeating: 1, count: KeyMaterial.longestPart)
    let added = [
      material.add(Sample.secret(tooLong)), material.add(Sample.secret(longest)),
      material.add(Sample.secret([])),
    ]
    #expect(added == [false, true, false])
  }
}
