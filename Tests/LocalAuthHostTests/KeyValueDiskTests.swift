import LocalAuthCore
import LocalAuthService
import LocalAuthStore
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Stores as they lie on the disk.
@Suite struct KeyValueDiskTests {
  private static let name = "findable name"
  private static let value = "findable text"

  /// A directory in which one device has a store.
  private func kept() throws -> StateScratch {
    let scratch = StateScratch()
    try StateRig.found(scratch.path)
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.create("sim", passcode: "1234"))
    try rig.set(Self.name, Self.value)
    rig.close()
    return scratch
  }

  private func open(_ scratch: StateScratch) throws -> StateRig {
    let rig = try #require(try StateRig(opening: scratch.path))
    rig.unlock("sim", "1234")
    return rig
  }

  private func execute(_ sql: StaticString, _ scratch: StateScratch) throws {
    try ItemRows(scratch.path + "/" + StateFiles.database).execute(sql)
  }

  @Test func aStoreIsThereAfterAStartOnceTheDeviceIsUnlocked() throws {
    let scratch = try kept()
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.objection { _ = try rig.values() }?.code == .itemLocked)
    #expect(rig.unlock("sim", "1234"))
    #expect(try rig.values() == [Self.name: KeyValueText.list(Self.value)])
    #expect(try rig.revision() == 1)
  }

  @Test func neitherNamesNorValuesNorTheStoresNameLieOnTheDisk() throws {
    let scratch = try kept()
    let rig = try open(scratch)
    try rig.set("another name", "another text")
    for (file, bytes) in StateFiles(of: scratch.path).contents {
      for text in [Self.name, Self.value, "another name", "another text", "key-value store"] {
        #expect(!bytes.contains(Array(text.utf8)), "\(text) in \(file)")
      }
    }
  }

  @Test(arguments: ItemRows.columns.indices)
  func aRowThatWasChangedIsAnErrorAndNotAnEmptyStore(_ index: Int) throws {
    let column = ItemRows.columns[index]
    // Found by another key it is not there, and what is a trace is none.
    guard !["key", "terms", "tombstone", "class_key"].contains(column) else { return }
    let statements: [String: StaticString] = [
      "id": "UPDATE item SET id = randomblob(16)", "protection": "UPDATE item SET protection = 2",
      "sync": "UPDATE item SET sync = 1", "modified": "UPDATE item SET modified = modified + 1",
      "access_control": "UPDATE item SET access_control = x'00'",
      "wrapped_key": "UPDATE item SET wrapped_key = zeroblob(length(wrapped_key))",
      "attributes": "UPDATE item SET attributes = zeroblob(length(attributes))",
      "secret": "UPDATE item SET secret = zeroblob(length(secret))",
    ]
    let scratch = try kept()
    try execute(try #require(statements[column]), scratch)
    let rig = try open(scratch)
    guard case .internalError(let message) = rig.objection({ _ = try rig.values() }) else {
      Issue.record("\(column): it was read")
      return
    }
    #expect(message.contains("damaged"))
    guard case .internalError = rig.objection({ try rig.set("b", "1") }) else {
      Issue.record("\(column): it was written over")
      return
    }
  }

  @Test func aDamagedStoreCanBeRemovedAsAWhole() throws {
    let scratch = try kept()
    try execute("UPDATE item SET secret = x'00'", scratch)
    let rig = try open(scratch)
    #expect(rig.objection { _ = try rig.values() } != nil)
    try rig.write([KeyValueChange("new", KeyValueText.list("1"))], removingAll: true)
    #expect(try rig.values() == ["new": KeyValueText.list("1")])
  }

  @Test func aStoreMovedToAnotherDeviceOrStoreOpensNothing() throws {
    let scratch = try kept()
    do {
      let rig = try open(scratch)
      #expect(rig.create("bare", passcode: nil))
      try rig.set("theirs", "1", rig.request(on: "bare"))
      rig.close()
    }
    try execute(
      """
      UPDATE keychain SET name = name || 'x';
      UPDATE keychain SET name = CASE name WHEN 'simx' THEN 'bare' WHEN 'barex' THEN 'sim' END
      """,
      scratch
    )
    let moved = try open(scratch)
    // What is found by a key is found by that of its own device alone.
    #expect((try? moved.values()[Self.name]) == nil)
    #expect((try? moved.values(moved.request(on: "bare"))[Self.name]) == nil)
  }

  /// As for items: what a person has done between that needs the passcode is what makes it noticed.
  @Test func anOlderDatabaseThatIsPutBackIsNoticedWhenAGuardedChangeLiesBetween() throws {
    let scratch = try kept()
    let old = StateFiles(of: scratch.path).contents[StateFiles.database]
    let rig = try open(scratch)
    try rig.set(Self.name, "newer")
    #expect(rig.create("bare", passcode: nil), "a guarded change")
    rig.close()
    var files = StateFiles(of: scratch.path)
    files.contents[StateFiles.database] = old
    files.contents[StateFiles.log] = nil
    let other = StateScratch()
    files.write(to: other.path)
    let back = try #require(try StateRig(opening: other.path))
    #expect(!back.store.state.distrusted.isEmpty)
  }
}

extension [UInt8] {
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first, count >= other.count else { return false }
    return indices.dropLast(other.count - 1).contains {
      self[$0] == first && self[$0..<($0 + other.count)].elementsEqual(other)
    }
  }
}
