import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct BucketedTableTests {
  @Test func itIsADictionaryWhateverIsDoneToIt() {
    var random = SeededGenerator.ofThisRun
    var table = BucketedTable<Int, Int>()
    var model: [Int: Int] = [:]
    for _ in 0..<20_000 {
      let key = Int.random(in: 0..<3_000, using: &random)
      let value: Int? = Int.random(in: 0..<3, using: &random) == 0 ? nil : key
      table[key] = value
      model[key] = value
      #expect(table[key] == value && table.count == model.count, "SEED=\(random.seed)")
    }
    #expect(table.mapValues { $0 } == model && table == BucketedTable(model))
    #expect(table.keys.sorted() == model.keys.sorted() && table.isEmpty == model.isEmpty)
  }

  @Test func itSaysWhichKeysDifferFromACopy() {
    var random = SeededGenerator.ofThisRun
    for size in [0, 1, 31, 32, 33, 128, 129, 5_000] {
      let old = BucketedTable(Dictionary(uniqueKeysWithValues: (0..<size).map { ($0, $0) }))
      var new = old
      #expect(new.changedKeys(from: old).isEmpty)
      var touched: Set<Int> = []
      for _ in 0..<20 {
        let key = Int.random(in: 0..<size + 40, using: &random)
        new[key] = Int.random(in: 0..<2, using: &random) == 0 ? nil : -1
        touched.insert(key)
      }
      let changed = new.changedKeys(from: old)
      #expect(changed == touched.filter { new[$0] != old[$0] }, "SEED=\(random.seed)")
      #expect(old.changedKeys(from: new) == changed && (new == old) == changed.isEmpty)
    }
  }

  @Test func tablesWithTheSameEntriesAreEqualHoweverTheyCameToThem() {
    var grown = BucketedTable<Int, Int>()
    for key in 0..<1_000 { grown[key] = key }
    for key in 10..<1_000 { grown[key] = nil }
    let small = BucketedTable(Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, $0) }))
    #expect(grown == small && Set([grown]).contains(small))
  }
}
