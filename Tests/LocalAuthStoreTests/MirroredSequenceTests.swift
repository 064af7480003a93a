import LocalAuthCore
import Testing

@testable import LocalAuthStore

@Suite struct MirroredSequenceTests {
  private let tagger = TestTagger()

  @Test(arguments: [0, 1, 255, 256, UInt64.max])
  func aRecordSaysItsSequence(_ sequence: UInt64) {
    let record = Watermark(sequence: sequence).record(tagger)
    #expect(record.count == mirroredSequenceSize)
    #expect(MirroredSequence(record, tagger) == .at(Watermark(sequence: sequence)))
  }

  @Test func noRecordIsMissing() {
    #expect(MirroredSequence(nil, tagger) == .missing)
  }

  @Test func everyFlippedBitIsDamage() {
    let record = Watermark(sequence: 77).record(tagger)
    for bit in 0..<(record.count * 8) {
      var flipped = record
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(MirroredSequence(flipped, tagger) == .damaged, "bit \(bit)")
    }
  }

  @Test func everyOtherSizeIsDamage() {
    let record = Watermark(sequence: 77).record(tagger)
    for count in 0..<record.count {
      #expect(MirroredSequence(Array(record[..<count]), tagger) == .damaged)
    }
    #expect(MirroredSequence(record + [0], tagger) == .damaged)
  }

  @Test func aRecordOfVersion010SaysItsSequenceAndNoCounts() {
    var plain = Array("LAmirror".utf8) + [77, 0, 0, 0, 0, 0, 0, 0]
    plain += tagger.tag(over: plain) + [UInt8](repeating: 0, count: 16)
    let watermark = MirroredSequence(plain, tagger).watermark
    #expect(watermark?.sequence == 77 && watermark?.hasCounts == false)
    plain[8] = 78
    #expect(MirroredSequence(plain, tagger) == .damaged)
  }

  @Test func anotherKeyIsDamage() {
    let record = Watermark(sequence: 77).record(TestTagger(key: 2))
    #expect(MirroredSequence(record, tagger) == .damaged)
  }
}

@Suite struct LedgerVerdictTests {
  @Test func theTableHoldsForSmallNumbers() {
    for ledger in UInt64(0)...5 {
      for mirror in UInt64(0)...5 {
        let expected: LedgerVerdict =
          ledger == mirror ? .intact : ledger == mirror + 1 ? .interrupted : .tampered
        #expect(LedgerVerdict(ledger: ledger, mirror: .at(Watermark(sequence: mirror))) == expected)
      }
      #expect(LedgerVerdict(ledger: ledger, mirror: .damaged) == .tampered)
      #expect(
        LedgerVerdict(ledger: ledger, mirror: .missing) == (ledger == 0 ? .interrupted : .tampered)
      )
    }
  }

  @Test(arguments: [
    MirroredSequence.missing, .damaged, .at(Watermark()), .at(Watermark(sequence: 9)),
  ])
  func aForgedLedgerIsNeverBelieved(_ mirror: MirroredSequence) {
    #expect(LedgerVerdict(ledger: nil, mirror: mirror) == .tampered)
  }

  @Test func aCopyThatIsAheadShowsWhatTheMirrorDoesNot() {
    for ahead in UInt64(0)...9 {
      let verdict = LedgerVerdict(
        ledger: 5,
        mirror: .at(Watermark(sequence: 5)),
        copy: .at(Watermark(sequence: ahead))
      )
      #expect(verdict == (ahead > 5 ? .tampered : .intact))
    }
    for copy in [MirroredSequence.missing, .damaged] {
      let mirror = MirroredSequence.at(Watermark(sequence: 5))
      #expect(LedgerVerdict(ledger: 5, mirror: mirror, copy: copy) == .intact)
    }
  }

  @Test func theEndsOfTheNumbersDoNotTrap() {
    #expect(LedgerVerdict(ledger: .max, mirror: .at(Watermark())) == .tampered)
    #expect(LedgerVerdict(ledger: 0, mirror: .at(Watermark(sequence: .max))) == .tampered)
    #expect(LedgerVerdict(ledger: .max, mirror: .at(Watermark(sequence: .max - 1))) == .interrupted)
  }
}
