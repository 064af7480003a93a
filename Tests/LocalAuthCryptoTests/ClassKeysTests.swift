import LocalAuthKeychain
import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

@Suite struct ClassKeysTests {
  @Test func everyKeyIsAnother() {
    let keys = ClassKeys.generate(for: .all)
    let prints = Sample.fingerprint(keys)
    #expect(prints.count == 7)
    #expect(Set(prints.values.flatMap { [$0.prefix(32), $0.suffix(32)] }).count == 14)
  }

  @Test func removedKeysAreGone() {
    var keys = ClassKeys.generate(for: .all)
    keys.remove(.whenUnlocked)
    #expect(keys.classes == [.always, .afterFirstUnlock])
    let isLent = keys.withKeys(of: .whenUnlocked) { _, _ in true }
    #expect(isLent == nil)
  }

  @Test func takenKeysChangeHandsAndOthersStay() {
    var keys = ClassKeys.generate(for: .all)
    var others = ClassKeys.generate(for: .whenUnlocked)
    let (before, taken) = (Sample.fingerprint(keys), Sample.fingerprint(others))
    keys.take([.whenUnlocked, .always], from: &others)
    let after = Sample.fingerprint(keys)
    #expect(others.classes == [])
    #expect(after[.whenUnlocked] == taken[.whenUnlocked])
    #expect(after[.always] == before[.always])
    #expect(after[.afterFirstUnlock] == before[.afterFirstUnlock])
  }

  @Test func halfAPairIsNone() {
    var keys = ClassKeys()
    let half = Sample.secret([UInt8](repeating: 1, count: 63))
    let isTaken = keys.put(joined: half, for: .always)
    #expect(!isTaken)
    #expect(keys.classes == [])
  }
}
