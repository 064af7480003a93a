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
    #expect(keys.pair(of: .whenUnlocked) == nil)
  }

  @Test func sharedKeysAreTheSameMemoryAndOutliveEachOther() {
    var keys = ClassKeys.generate(for: .all)
    let before = Sample.fingerprint(keys)
    let shared = keys.sharing(.whenUnlocked)
    #expect(shared.classes == .whenUnlocked)
    #expect(shared.pair(of: .whenUnlocked) === keys.pair(of: .whenUnlocked))
    keys.remove(.all)
    #expect(Sample.fingerprint(shared)[.whenUnlocked] == before[.whenUnlocked])
  }

  @Test func aPairGoesWithTheLastThatSharesIt() {
    var keys = ClassKeys.generate(for: .always)
    weak let pair = keys.pair(of: .always)
    do {
      let shared = keys.sharing(.all)
      keys.remove(.always)
      #expect(pair != nil)
      _ = shared.classes
    }
    #expect(pair == nil)
  }

  @Test func addedKeysTakeThePlaceOfTheirClassAndOthersStay() {
    var keys = ClassKeys.generate(for: .all)
    let others = ClassKeys.generate(for: .whenUnlocked)
    let (before, added) = (Sample.fingerprint(keys), Sample.fingerprint(others))
    keys.add(others)
    let after = Sample.fingerprint(keys)
    #expect(after[.whenUnlocked] == added[.whenUnlocked])
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
