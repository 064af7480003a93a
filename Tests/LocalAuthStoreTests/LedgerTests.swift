import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

@Suite struct LedgerTests {
  private func entry(_ name: String, owner: UInt32 = 1, tag: UInt8 = 0) -> Ledger.Entry {
    Ledger.Entry(
      identity: DeviceIdentity(owner: owner, name: name),
      tag: [tag],
      isTrusted: true
    )
  }

  @Test func theMessageDoesNotDependOnTheOrderOfChanges() {
    var generator = SeededGenerator.ofThisRun
    let entries = (0..<40).map { entry("d\($0 % 10)", owner: UInt32($0 / 10)) }
    var first = Ledger()
    for entry in entries { first.put(entry) }
    var second = Ledger()
    for entry in entries.shuffled(using: &generator) { second.put(entry) }
    #expect(first.message == second.message, "SEED=\(generator.seed)")
    #expect(first.entries.count == 40)
  }

  @Test func everyPartChangesTheMessage() {
    var base = Ledger()
    base.put(entry("a"))
    base.put(entry("b"))
    var messages = [base.message]
    var changed = base
    changed.sequence = 1
    messages.append(changed.message)
    changed = base
    changed.mayHaveLostDevices = true
    messages.append(changed.message)
    changed = base
    changed.put(entry("a", tag: 1))
    messages.append(changed.message)
    changed = base
    changed.put(Ledger.Entry(identity: entry("a").identity, tag: [0], isTrusted: false))
    messages.append(changed.message)
    changed = base
    _ = changed.remove(entry("a").identity)
    messages.append(changed.message)
    changed = base
    changed.put(entry("c"))
    messages.append(changed.message)
    #expect(Set(messages).count == messages.count)
  }

  @Test func removingWhatIsNotThereSaysSo() {
    var ledger = Ledger()
    ledger.put(entry("a"))
    let removed = [ledger.remove(entry("b").identity), ledger.remove(entry("a").identity)]
    #expect(removed == [false, true])
    #expect(ledger.entries.isEmpty)
  }

  @Test func aLostDefaultDeviceBeginsDistrustedAndANamedOneDoesNot() {
    let ledger = Ledger(sequence: 1, mayHaveLostDevices: true)
    let fallback = DeviceRecord(
      identity: DeviceIdentity(owner: 1, name: DeviceIdentity.defaultName),
      isSimulated: false
    )
    let named = DeviceRecord(identity: DeviceIdentity(owner: 1, name: "desk"), isSimulated: true)
    #expect(!ledger.trusts(fallback))
    #expect(ledger.trusts(named))
    #expect(Ledger().trusts(fallback))
  }

  @Test func aPasscodeStampBringsTrustBackAndNothingElseDoes() {
    var ledger = Ledger()
    var record = Sample.device()
    ledger.put(Ledger.Entry(identity: record.identity, tag: [], isTrusted: false))
    #expect(ledger.trusts(record))
    record.attempts.freshness = Freshness()
    #expect(!ledger.trusts(record))
    record.attempts.freshness.matched(at: Sample.moment)
    #expect(!ledger.trusts(record))
  }
}
