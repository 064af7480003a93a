public import Foundation
public import LocalAuth
import LocalAuthTestKit
import Testing

/// What is kept comes back as it was.
@Suite
struct KeychainItemTests {
  private let device: TestDevice
  private let keychain: Keychain

  init() throws {
    device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    keychain = device.keychain(service: "mail")
  }

  private func failure<Value>(
    _ body: () async throws(KeychainFailure) -> Value
  ) async -> KeychainFailure? {
    do throws(KeychainFailure) {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: Items

  @Test func addedItemIsFoundWithAllItsAttributes() async throws {
    var new = NewKeychainItem.internetPassword(server: "example.org", account: "ann")
    new.label = "Work"
    new.comment = "an old one"
    new.kind = "web password"
    new.port = 8443
    new.path = "/login"
    new.networkProtocol = .https
    new.authentication = .htmlForm
    new.isInvisible = true
    new.accessControl = AccessControl(.afterFirstUnlockThisDeviceOnly)
    let added = try await keychain.add(new, data: Secret(copying: "pw".utf8))
    var query = KeychainQuery.internetPasswords(server: "example.org")
    query.port = 8443
    let found = try await keychain.items(matching: query, withData: true)
    let item = try #require(found.first)
    #expect(found.count == 1)
    #expect(item.id == added.id)
    #expect(item.reference == added.reference)
    #expect(item.itemClass == .internetPassword)
    #expect(item.attributes == added.attributes)
    #expect(item.server == "example.org")
    #expect(item.account == "ann")
    #expect(item.label == "Work")
    #expect(item.comment == "an old one")
    #expect(item.kind == "web password")
    #expect(item.port == 8443)
    #expect(item.path == "/login")
    #expect(item.networkProtocol == .https)
    #expect(item.authentication == .htmlForm)
    #expect(item.isInvisible == true)
    #expect(item.accessible == .afterFirstUnlockThisDeviceOnly)
    #expect(!item.isSynchronizable)
    #expect(try await keychain.accessGroups().first == item.group)
    #expect(item.takeData()?.isEqual(to: Secret(copying: "pw".utf8)) == true)
    #expect(item.takeData()?.count == nil)
  }

  @Test func accessControlComesBackAsItWasAsked() async throws {
    let control = try AccessControl(
      .whenPasscodeSetThisDeviceOnly,
      flags: [.biometryAny, .or, .devicePasscode]
    )
    let new = NewKeychainItem.genericPassword(service: "a", account: "b", accessControl: control)
    #expect(try await keychain.add(new).accessControl == control)
  }

  @Test func secondItemOfTheSameNameIsADuplicate() async throws {
    let new = NewKeychainItem.genericPassword(service: "a", account: "b")
    try await keychain.add(new)
    let failure = await failure { () async throws(KeychainFailure) in try await keychain.add(new) }
    #expect(failure == .duplicateItem)
    #expect(failure?.exit == 21)
    #expect(failure?.status == .duplicateItem)
  }

  // MARK: Batches

  private func batch(_ count: Int, dataCount: Int = 16) -> KeychainBatch {
    var batch = KeychainBatch()
    for number in 0..<count {
      let data = String(repeating: "\(number % 10)", count: dataCount)
      batch.append(
        .genericPassword(service: "mail", account: "\(number)"),
        data: Secret(copying: data.utf8)
      )
    }
    return batch
  }

  private func failure(of batch: KeychainBatch) async -> KeychainBatchFailure? {
    do throws(KeychainBatchFailure) {
      _ = try await keychain.add(batch)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [0, 1, 2500])
  func aBatchIsAddedWholeAndInItsOrder(_ count: Int) async throws {
    let added = try await keychain.add(batch(count))
    #expect(added.map(\.account) == (0..<count).map { "\($0)" })
    let found = try await keychain.items(matching: .genericPasswords(service: "mail"))
    #expect(Set(found.map(\.id)) == Set(added.map(\.id)))
    guard count > 0 else { return }
    let last = "\((count - 1) % 10)"
    #expect(
      try await keychain.string(for: "\(count - 1)") == String(repeating: last, count: 16)
    )
  }

  @Test func aBatchOfLargeItemsGoesInStepsThatFitAMessage() async throws {
    #expect(try await keychain.add(batch(9, dataCount: 65_536)).count == 9)
    let expected = String(repeating: "8", count: 65_536)
    #expect(try await keychain.string(for: "8") == expected)
  }

  @Test func aBatchSaysWhichItemFailedAndHowManyWereAdded() async throws {
    try await keychain.add(NewKeychainItem.genericPassword(service: "mail", account: "1200"))
    let failure = await failure(of: batch(1500))
    #expect(failure?.failure == .duplicateItem)
    #expect(failure?.item == 1200)
    #expect(failure?.added == 1000)
    let found = try await keychain.items(matching: .genericPasswords(service: "mail"))
    #expect(found.count == 1001)
  }

  @Test(arguments: [65_537, 300_000])
  func anItemThatIsTooLargeIsNamed(_ size: Int) async throws {
    var batch = batch(3)
    batch.append(
      .genericPassword(service: "mail", account: "large"),
      data: Secret(copying: String(repeating: "x", count: size).utf8)
    )
    let failure = await failure(of: batch)
    #expect(failure?.failure.status == .dataTooLarge)
    #expect(failure?.item == 3)
    #expect(failure?.description.contains("Item 3: ") == true)
  }

  @Test func anEmptyBatchIsNoWork() async throws {
    #expect(KeychainBatch().count == 0)
    #expect(try await keychain.add(KeychainBatch()).isEmpty)
  }

  // MARK: Finding and changing

  @Test func nothingFoundIsNoErrorButNothingToChangeIs() async throws {
    let query = KeychainQuery.genericPasswords(service: "none")
    #expect(try await keychain.items(matching: query).isEmpty)
    #expect(try await keychain.item(matching: query) == nil)
    #expect(try await !keychain.delete(matching: query))
    let failure = await failure { () async throws(KeychainFailure) in
      try await keychain.update(matching: query, data: Secret(copying: "x".utf8))
    }
    #expect(failure == .itemNotFound)
    #expect(failure?.exit == 20)
  }

  @Test func persistentReferenceSurvivesAChangeOfTheAccount() async throws {
    let new = NewKeychainItem.genericPassword(service: "mail", account: "ann")
    let item = try await keychain.add(new, data: Secret(copying: "pw".utf8))
    var changes = KeychainChanges()
    changes.account = "bob"
    changes.label = "Bob's"
    try await keychain.update(matching: .item(item.reference), with: changes)
    // As bytes kept elsewhere bring it back.
    let reference = try PersistentReference(bytes: item.reference.bytes)
    let renamed = try #require(
      try await keychain.item(matching: .item(reference), withData: true)
    )
    #expect(renamed.id == item.id)
    #expect(renamed.account == "bob")
    #expect(renamed.label == "Bob's")
    #expect(renamed.takeData()?.isEqual(to: Secret(copying: "pw".utf8)) == true)
    #expect(try await keychain.string(for: "ann") == nil)
    #expect(try await keychain.delete(matching: .item(reference)))
    #expect(try await keychain.item(matching: .item(reference)) == nil)
  }

  @Test func datesHaveMillisecondsAndChangesMoveOn() async throws {
    var changes = KeychainChanges()
    changes.created = WallInstant(milliseconds: 1_234_567_890_123)
    let new = NewKeychainItem.genericPassword(service: "mail", account: "ann")
    let added = try await keychain.add(new)
    #expect(added.created == added.modified)
    try await keychain.update(matching: .item(added.reference), with: changes)
    let first = try #require(try await keychain.item(matching: .item(added.reference)))
    #expect(first.created == WallInstant(milliseconds: 1_234_567_890_123))
    // The clock stands still, and yet each change is later than the one before.
    #expect(first.modified.milliseconds == added.modified.milliseconds + 1)
    try device.clock.advance(by: .milliseconds(1234))
    try await keychain.update(matching: .item(added.reference))
    let second = try #require(try await keychain.item(matching: .item(added.reference)))
    #expect(second.modified.milliseconds == added.modified.milliseconds + 1234)
  }

  @Test func twinsThatDifferInSynchronizableLiveSideBySide() async throws {
    var new = NewKeychainItem.genericPassword(service: "mail", account: "ann")
    try await keychain.add(new)
    new.isSynchronizable = true
    try await keychain.add(new)
    var query = KeychainQuery.genericPasswords(service: "mail")
    #expect(try await keychain.items(matching: query).map(\.isSynchronizable) == [false])
    query.synchronizable = .yes
    #expect(try await keychain.items(matching: query).map(\.isSynchronizable) == [true])
    query.synchronizable = .any
    #expect(try await keychain.items(matching: query).count == 2)
  }

  @Test func hostMatchesServersBelowIt() async throws {
    for server in ["example.org", "mail.example.org", "badexample.org"] {
      try await keychain.add(.internetPassword(server: server, account: "ann"))
    }
    var query = KeychainQuery.internetPasswords()
    query.host = "example.org"
    let found = try await keychain.items(matching: query).compactMap(\.server).sorted()
    #expect(found == ["example.org", "mail.example.org"])
    // A deletion that cannot be limited to the host is refused instead of deleting more.
    let failure = await failure { () async throws(KeychainFailure) in
      try await keychain.delete(matching: query)
    }
    #expect(failure?.status == .param)
    #expect(try await keychain.items(matching: .internetPasswords()).count == 3)
  }

  @Test func limitedDeletionIsRefused() async throws {
    for account in ["ann", "bob"] { try await keychain.set("x", for: account) }
    var query = KeychainQuery.genericPasswords(service: "mail")
    query.limit = 1
    let failure = await failure { () async throws(KeychainFailure) in
      try await keychain.delete(matching: query)
    }
    #expect(failure?.status == .param)
    #expect(try await keychain.accounts().count == 2)
  }

  // MARK: Groups

  @Test func groupThatIsNotTheCallersIsRefusedByName() async throws {
    let foreign = Keychain(context: device.context(), accessGroup: "somebody.else")
    let failures = [
      await failure { () async throws(KeychainFailure) in
        try await foreign.set("secret", for: "ann")
      },
      await failure { () async throws(KeychainFailure) in try await foreign.string(for: "ann") },
      await failure { () async throws(KeychainFailure) in try await foreign.removeAll() },
    ]
    for failure in failures {
      #expect(failure?.outcome == .accessGroupNotAllowed)
      #expect(failure?.exit == 23)
      #expect(failure?.status == .missingEntitlement)
      #expect(failure?.message.contains("somebody.else") == true)
    }
  }

  // MARK: Long lists

  @Test func longListsComeWholeAndLimitsHoldAcrossPieces() async throws {
    // Some hundred kilobytes make a piece.
    let large = [UInt8](repeating: 7, count: 60_000)
    for number in 0..<20 { try await keychain.set(large, for: "user\(number)") }
    var query = KeychainQuery.genericPasswords(service: "mail")
    let all = try await keychain.items(matching: query, withData: true)
    #expect(Set(all.compactMap(\.account)).count == 20)
    var count = 0
    for try await item in keychain.sequence(matching: query, withData: true) {
      count += 1
      #expect(item.takeData()?.count == 60_000)
    }
    #expect(count == 20)
    for limit in [1, 2, 13, 19, 20, 21] {
      query.limit = limit
      let found = try await keychain.items(matching: query, withData: true)
      #expect(found.count == min(limit, 20))
      var count = 0
      for try await _ in keychain.sequence(matching: query, withData: true) { count += 1 }
      #expect(count == min(limit, 20))
    }
  }

  @Test func sequenceOfNothingIsEmptyAndAFailureEndsIt() async throws {
    let nothing = keychain.sequence(matching: .genericPasswords(service: "none"))
    for try await _ in nothing { Issue.record("there is nothing") }
    var query = KeychainQuery.genericPasswords(service: "mail")
    query.limit = 0
    var iterator = keychain.sequence(matching: query).makeAsyncIterator()
    let failure = await failure { () async throws(KeychainFailure) in
      try await iterator.next()
    }
    #expect(failure?.status == .param)
    #expect(try await iterator.next() == nil)
  }

  // MARK: Values

  @Test(arguments: [
    "", "a", "Zürich \u{1F511} e\u{301}", "\u{0}\"\\\n",
    String(repeating: "ж", count: 32_768),
  ])
  func textComesBackAsItWas(_ text: String) async throws {
    try await keychain.set(text, for: text.isEmpty ? "" : "ключ \u{1F511}")
    let found = try await keychain.string(for: text.isEmpty ? "" : "ключ \u{1F511}")
    #expect(found.map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test func emptyAccountsAndServicesAreNamesLikeAnyOther() async throws {
    let nameless = Keychain(context: device.context())
    try await nameless.set("nobody", for: "")
    try await keychain.set("mail", for: "")
    #expect(try await nameless.string(for: "") == "nobody")
    #expect(try await nameless.accounts() == [""])
    #expect(try await nameless.removeAll())
    #expect(try await keychain.string(for: "") == "mail")
  }

  @Test func dataOf64KiBFitsAndAByteMoreIsTooLarge() async throws {
    let most = (0..<65_536).map { UInt8(truncatingIfNeeded: $0) }
    try await keychain.set(most, for: "large")
    #expect(try await keychain.bytes(for: "large") == most)
    for size in [65_537, 120_000, 1_000_000] {
      let failure = await failure { () async throws(KeychainFailure) in
        try await keychain.set([UInt8](repeating: 0, count: size), for: "large")
      }
      #expect(failure?.status == .dataTooLarge, "\(size)")
      #expect(failure?.exit == 24)
    }
    #expect(try await keychain.bytes(for: "large") == most)
  }

  @Test func codableValuesComeBack() async throws {
    struct Account: Codable, Hashable {
      var name: String
      var tags: Set<String>
      var since: Date
    }
    let account = Account(
      name: "ann",
      tags: ["a", "b"],
      since: Date(timeIntervalSinceReferenceDate: 123.456)
    )
    try await keychain.set(account, for: "account", with: JSONEncoder())
    try await keychain.set(["x", "y"], for: "array", with: JSONEncoder())
    try await keychain.set(Set([1, 2, 3]), for: "set", with: PropertyListEncoder())
    try await keychain.set(["one": 1], for: "dictionary", with: JSONEncoder())
    #expect(try await keychain.value(for: "account", with: JSONDecoder()) == account)
    let array = try await keychain.value([String].self, for: "array", with: JSONDecoder())
    #expect(array == ["x", "y"])
    #expect(
      try await keychain.value(Set<Int>.self, for: "set", with: PropertyListDecoder()) == [1, 2, 3]
    )
    #expect(
      try await keychain.value([String: Int].self, for: "dictionary", with: JSONDecoder())
        == ["one": 1]
    )
    #expect(try await keychain.value(Int.self, for: "none", with: JSONDecoder()) == nil)
  }

  @Test func whatIsNotWhatWasAskedForSaysSoWithoutQuotingIt() async throws {
    try await keychain.set([0xFF, 0x41], for: "bytes")
    try await keychain.set("hunter2", for: "text")
    let failures = [
      await failure { () async throws(KeychainFailure) in try await keychain.string(for: "bytes") },
      await failure { () async throws(KeychainFailure) in try await keychain.date(for: "text") },
      await failure { () async throws(KeychainFailure) in
        try await keychain.value([Int].self, for: "text", with: JSONDecoder())
      },
      await failure { () async throws(KeychainFailure) in
        try await keychain.set(Double.nan, for: "text", with: JSONEncoder())
      },
    ]
    for failure in failures {
      #expect(failure?.status == .decode)
      #expect(failure?.message.contains("hunter2") == false)
    }
    #expect(try await keychain.string(for: "text") == "hunter2")
  }

  // MARK: Keeping

  @Test func keepingAnewReplacesAndLeavesTheAccessControl() async throws {
    let afterFirst = AccessControl(.afterFirstUnlock)
    try await keychain.set("one", for: "ann", accessControl: afterFirst)
    try await keychain.set("two", for: "ann")
    let query = KeychainQuery.genericPasswords(service: "mail")
    let items = try await keychain.items(matching: query)
    #expect(items.map(\.accessible) == [.afterFirstUnlock])
    #expect(try await keychain.string(for: "ann") == "two")
    let anyFinger = try AccessControl(.whenUnlocked, flags: .biometryAny)
    try await keychain.set("three", for: "ann", accessControl: anyFinger)
    try device.sensor.match()
    #expect(try await keychain.string(for: "ann") == "three")
    #expect(device.prompts.count == 1)
  }

  @Test func servicesAreApart() async throws {
    let other = device.keychain(service: "chat")
    try await keychain.set("mail", for: "ann")
    try await other.set("chat", for: "ann")
    #expect(try await keychain.string(for: "ann") == "mail")
    #expect(try await other.removeAll())
    #expect(try await keychain.string(for: "ann") == "mail")
  }

  @Test func sixteenWhoKeepAtOnceLeaveOneWholeSecret() async throws {
    let written = (0..<16).map { [UInt8](repeating: UInt8($0), count: 5000 + $0) }
    let shared = Keychain(device: device.device, service: "race")
    for round in 1...5 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, bytes) in written.enumerated() {
          // Half on one keychain, half each on its own.
          let own = number % 2 == 0 ? shared : device.keychain(service: "race")
          group.addTask {
            for turn in 1...4 {
              try await own.set(bytes, for: "ann")
              if number == 15, turn == 2 { try await own.remove("ann") }
            }
          }
        }
        try await group.waitForAll()
      }
      let left = try await shared.bytes(for: "ann")
      #expect(written.contains(left ?? []), "round \(round)")
      #expect(try await shared.accounts() == ["ann"])
    }
  }

  @Test func secretIsLentAndWhatTheBodyThrowsIsHandedOn() async throws {
    struct Stop: Error {}
    try await keychain.set("hunter2", for: "ann")
    let count = try await keychain.withSecret(for: "ann") { $0.count }
    #expect(count == 7)
    await #expect(throws: Stop.self) {
      try await keychain.withSecret(for: "ann") { _ in throw Stop() }
    }
    await #expect(throws: KeychainFailure.itemNotFound) {
      try await keychain.withSecret(for: "none") { $0.count }
    }
  }

  @Test func keychainOfNoServiceSaysSo() async throws {
    let lost = Keychain(context: AuthContext(device: Device(nil, servedBy: NoService())))
    let failure = await failure { () async throws(KeychainFailure) in
      try await lost.string(for: "ann")
    }
    #expect(failure?.exit == 69)
    #expect(failure?.status == .notAvailable)
    #expect(failure?.message == "nobody is there")
  }
}

// As a program has them.
extension JSONEncoder: ItemEncoder {}
extension JSONDecoder: ItemDecoder {}
extension PropertyListEncoder: ItemEncoder {}
extension PropertyListDecoder: ItemDecoder {}
