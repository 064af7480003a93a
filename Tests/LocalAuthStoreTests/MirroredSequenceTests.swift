import LocalAuthCore
import Testing

@testable import LocalAuthStore

@Suite struct MirroredSequenceTests {
  private let authenticator = TestAuthenticator()

  @Test(arguments: [0, 1, 255, 256, UInt64.max])
  func aRecordSaysItsSequence(_ sequence: UInt64) {
    let record = MirroredSequence.record(sequence, authenticator)
    #expect(record.count == mirroredSequenceSize)
    #expect(MirroredSequence(record, authenticator) == .at(sequence))
  }

  @Test func noRecordIsMissing() {
    #expect(MirroredSequence(nil, authenticator) == .missing)
  }

  @Test func everyFlippedBitIsDamage() {
    let record = MirroredSequence.record(77, authenticator)
    for bit in 0..<(record.count * 8) {
      var flipped = record
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(MirroredSequence(flipped, authenticator) == .damaged, "bit \(bit)")
    }
  }

  @Test func everyOtherSizeIsDamage() {
    let record = MirroredSequence.record(77, authenticator)
    for count in 0..<record.count {
      #expect(MirroredSequence(Array(record[..<count]), authenticator) == .damaged)
    }
    #expect(MirroredSequence(record + [0], authenticator) == .damaged)
  }

  @Test func anotherKeyIsDamage() {
    let record = MirroredSequence.record(77, TestAuthenticator(key: 2))
    #expect(MirroredSequence(record, authenticator) == .damaged)
  }
}

@Suite struct LedgerVerdictTests {
  @Test func theTableHoldsForSmallNumbers() {
    for ledger in UInt64(0)...5 {
      for mirror in UInt64(0)...5 {
        let expected: LedgerVerdict =
          ledger == mirror ? .intact : ledger == mirror + 1 ? .interrupted : .tampered
        #expect(LedgerVerdict(ledger: ledger, mirror: .at(mirror)) == expected)
      }
      #expect(LedgerVerdict(ledger: ledger, mirror: .damaged) == .tampered)
      #expect(
        LedgerVerdict(ledger: ledger, mirror: .missing) == (ledger == 0 ? .interrupted : .tampered)
      )
    }
  }

  @Test(arguments: [MirroredSequence.missing, .damaged, .at(0), .at(9)])
  func aForgedLedgerIsNeverBelieved(_ mirror: MirroredSequence) {
    #expect(LedgerVerdict(ledger: nil, mirror: mirror) == .tampered)
  }

  @Test func theEndsOfTheNumbersDoNotTrap() {
    #expect(LedgerVerdict(ledger: .max, mirror: .at(0)) == .tampered)
    #expect(LedgerVerdict(ledger: 0, mirror: .at(.max)) == .tampered)
    #expect(LedgerVerdict(ledger: .max, mirror: .at(.max - 1)) == .interrupted)
  }
}
