import LocalAuthCore
import LocalAuthCrypto
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Lines that vouch for each other.
@Suite struct AuditChainTests {
  private let tagger = KeyedRecordTagger(DeviceKey.generate())

  private func lines(_ count: Int) -> [[UInt8]] {
    var chain = AuditChain(tagger)
    return (0..<count).map { chain.line(Array("{\"n\":\($0)}".utf8)) }
  }

  private func broken(_ bytes: [UInt8]) -> [Int] {
    var chain = AuditChain(tagger)
    return chain.take(bytes)
  }

  private func firstBroken(_ bytes: [UInt8]) -> Int? { broken(bytes).first }

  @Test func linesAsTheyWereWrittenFit() {
    for count in [0, 1, 2, 50] {
      var chain = AuditChain(tagger)
      #expect(chain.take(Array(lines(count).joined())).isEmpty)
      #expect(chain.count == count)
    }
  }

  @Test func everyFlippedBitIsNoticed() {
    let whole = Array(lines(3).joined())
    for index in whole.indices {
      for bit in 0..<8 {
        var bytes = whole
        bytes[index] ^= 1 << UInt8(bit)
        #expect(firstBroken(bytes) != nil, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test func linesThatAreTakenMovedOrRepeatedAreNoticed() {
    let all = lines(4)
    #expect(firstBroken(Array((all[1...]).joined())) == 1)
    #expect(firstBroken(Array([all[0], all[2], all[3]].joined())) == 2)
    #expect(firstBroken(Array([all[0], all[2], all[1], all[3]].joined())) == 2)
    #expect(firstBroken(Array((all + [all[3]]).joined())) == 5)
    #expect(firstBroken(Array(all.joined().dropLast())) != nil)
  }

  @Test func whatFollowsABreakIsVerifiedToo() {
    let all = lines(6)
    #expect(broken(Array([all[0], all[2], all[3], all[5]].joined())) == [2, 4], "two were taken")
    #expect(broken(Array((all[..<2] + [Array("junk\n".utf8)] + all[2...]).joined())) == [3])
    var changed = all
    for index in [1, 4] { changed[index][70] ^= 1 }
    #expect(broken(Array(changed.joined())) == [2, 5])
    #expect(broken(Array((changed.joined()).dropLast())) == [2, 5, 6])
  }

  @Test func withoutTheKeyNoLineCanBeAdded() {
    var other = AuditChain(KeyedRecordTagger(DeviceKey.generate()))
    #expect(firstBroken(other.line(Array("{}".utf8))) == 1)
  }

  @Test func aCutEndLeavesAChainThatIsWhole() {
    // Which is why the service remembers where it ended.
    #expect(firstBroken(Array(lines(4).dropLast().joined())) == nil)
  }
}
