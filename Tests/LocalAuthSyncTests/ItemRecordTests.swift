import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct ItemRecordTests {
  // MARK: Items at random

  private static let staying: [ItemAttribute] = [.sharingGroup, .systemBound, .appClip]

  /// The attributes that an item of a class may have, besides the fields of its own.
  private static func attributes(of itemClass: ItemClass) -> [ItemAttribute] {
    ItemAttribute.allCases.filter { attribute in
      attribute.belongs(to: itemClass) && !Item.fields.contains(attribute)
        && !staying.contains(attribute) && attribute != .tokenID && attribute != .isExtractable
    }
  }

  private static func value(
    _ kind: AttributeKind,
    _ random: inout SeededGenerator
  ) -> AttributeValue {
    let bytes = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let number = Int64(truncatingIfNeeded: random.next())
    switch kind {
    case .blob:
      return [.text(text), .data(bytes), .number(number)].randomElement(using: &random)
        ?? .text(text)
    case .data: return .data(bytes)
    case .number: return Bool.random(using: &random) ? .number(number) : .text(text)
    case .date: return .date(number)
    case .text, .protection, .accessControl: return .text(text)
    }
  }

  private static func item(
    _ itemClass: ItemClass,
    _ protection: ProtectionClass,
    _ random: inout SeededGenerator
  ) -> Item {
    var item = Item(
      identifier: ItemIdentifier(high: random.next(), low: random.next()),
      itemClass: itemClass,
      group: ["team.app", "", "é"].randomElement(using: &random) ?? "",
      accessControl: AccessControl(protection),
      isSynchronizable: true,
      created: WallInstant(milliseconds: Int64(truncatingIfNeeded: random.next())),
      modified: WallInstant(milliseconds: Int64(truncatingIfNeeded: random.next())),
      hasData: Bool.random(using: &random)
    )
    for attribute in attributes(of: itemClass) where Bool.random(using: &random) {
      item.attributes[attribute] = value(attribute.kind, &random)
    }
    return item
  }

  private static let travelling: [ProtectionClass] = [.whenUnlocked, .afterFirstUnlock, .always]

  private func head(_ item: Item, _ fields: [UInt32: [UInt8]]) -> RecordHead {
    let dot = VersionVector.Dot(World.peers[0], 1)
    var vector = VersionVector()
    vector.add(dot)
    let version = RecordVersion(
      identifier: item.identifier,
      isTombstone: item.isTombstone,
      modified: item.modified,
      keyClass: ZoneKeyClass(item.accessControl.protection) ?? .whenUnlocked,
      content: CircleFixture.digest(1),
      made: dot,
      vector: vector
    )
    return RecordHead(version, fields: fields)
  }

  private func refusal(_ head: RecordHead) -> ItemRecord.Refusal? {
    do throws(ItemRecord.Refusal) {
      _ = try ItemRecord(head)
      return nil
    } catch { return error }
  }

  private func refusal(_ item: Item) -> ItemRecord.Refusal? {
    do throws(ItemRecord.Refusal) {
      _ = try ItemRecord(item)
      return nil
    } catch { return error }
  }

  private func password() -> Item {
    var random = SeededGenerator(seed: 5)
    var item = Self.item(.genericPassword, .whenUnlocked, &random)
    item.attributes = [.account: .text("anna"), .label: .data([1])]
    return item
  }

  // MARK: There and back

  @Test(arguments: ItemClass.stored) func anItemComesBackFromItsFields(itemClass: ItemClass) throws
  {
    var random = SeededGenerator.ofThisRun
    var seen: Set<ItemAttribute> = []
    for _ in 0..<200 {
      let protection = Self.travelling.randomElement(using: &random) ?? .always
      let item = Self.item(itemClass, protection, &random)
      let record = try ItemRecord(item)
      let sent = RecordHead(head(item, record.fields).bytes)
      let read = try ItemRecord(try #require(sent))
      #expect(read == record && read.item == item, "seed \(random.seed)")
      #expect(read.fields == record.fields && read.content == record.content)
      #expect(read.key == PrimaryKey(of: item).bytes)
      seen.formUnion(item.attributes.keys)
    }
    #expect(seen == Set(Self.attributes(of: itemClass)), "all of them travel")
  }

  @Test func aDevicesOwnMarksStayAndTheRestIsAsItWas() throws {
    let plain = password()
    var marked = plain
    marked.attributes[.appClip] = .number(1)
    marked.attributes[.systemBound] = .number(1)
    marked.attributes[.sharingGroup] = .text("")
    #expect(try ItemRecord(marked) == ItemRecord(plain))
    for attribute in Self.staying {
      var fields = try ItemRecord(plain).fields
      fields[attribute.number] = AttributeValue.number(0).markedBytes
      #expect(refusal(head(plain, fields)) == .field(attribute.number))
    }
  }

  // MARK: What never leaves

  @Test func onlyWhatLeavesItsDeviceAndNeedsNoProofBecomesARecord() throws {
    var random = SeededGenerator.ofThisRun
    let flags: [AccessControlFlags] = [
      [], [], .or, .and, .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
      [.devicePasscode, .eachUse], .privateKeyUsage, .applicationPassword, .companion,
    ]
    var counts: [Bool: Int] = [:]
    for _ in 0..<2_000 {
      let itemClass = ItemClass.stored.randomElement(using: &random) ?? .key
      let protection = ProtectionClass.allCases.randomElement(using: &random) ?? .always
      var item = Self.item(itemClass, protection, &random)
      item.accessControl = try AccessControl(
        protection,
        flags: flags.randomElement(using: &random) ?? []
      )
      item.isSynchronizable = Int.random(in: 0..<4, using: &random) > 0
      item.isTombstone = Int.random(in: 0..<8, using: &random) == 0
      let leaves =
        item.isSynchronizable && !protection.isThisDeviceOnly && item.accessControl.isTrivial
        && !item.isTombstone
      #expect((refusal(item) == nil) == leaves, "\(item), seed \(random.seed)")
      counts[leaves, default: 0] += 1
    }
    #expect((counts[true] ?? 0) > 100 && (counts[false] ?? 0) > 100)
  }

  @Test func tokensSharingGroupsAndWhatMustNotBeTakenOutStay() {
    var (token, group, shared, own) = (password(), password(), password(), password())
    token.attributes[.tokenID] = .text("com.apple.setoken")
    group.group = AccessGroups.token
    shared.attributes[.sharingGroup] = .text("family")
    own.group = AccessGroups.internalGroup
    #expect(refusal(token) == .token)
    #expect(refusal(group) == .token)
    #expect(refusal(shared) == .sharingGroup)
    #expect(refusal(own) == .staysHere)
    var random = SeededGenerator(seed: 6)
    var key = Self.item(.key, .whenUnlocked, &random)
    key.attributes[.keyClass] = .number(KeyClass.private.rawValue)
    key.attributes[.isExtractable] = .number(0)
    #expect(refusal(key) == .staysHere)
    key.attributes[.keyClass] = .number(KeyClass.public.rawValue)
    #expect(refusal(key) == nil)
    var identity = password()
    identity.itemClass = .identity
    #expect(refusal(identity) != nil)
  }

  @Test func nobodyCanSendAnItemThatThisDeviceWouldNotSend() throws {
    let item = password()
    let fields = try ItemRecord(item).fields
    func sent(_ attribute: ItemAttribute, _ value: AttributeValue) -> ItemRecord.Refusal? {
      var changed = fields
      changed[attribute.number] = value.markedBytes
      return refusal(head(item, changed))
    }
    for protection in ProtectionClass.allCases where protection.isThisDeviceOnly {
      #expect(sent(.accessible, .text(protection.rawValue)) == .staysHere)
    }
    #expect(sent(.accessGroup, .text(AccessGroups.internalGroup)) == .staysHere)
    #expect(sent(.accessGroup, .text(AccessGroups.token)) == .token)
    #expect(sent(.tokenID, .text("t")) == .token)
    #expect(sent(.accessible, .text("ck")) != nil, "it was sealed by the key of another class")
    let foreign: [(ItemAttribute, AttributeValue)] = [
      (.accessControl, .data([1])), (.synchronizable, .number(1)), (.tombstone, .number(0)),
      (.modificationDate, .date(1)), (.server, .text("s")), (.isExtractable, .number(1)),
      (.label, .date(7)), (.isInvisible, .data([1])), (.user, .text("u")), (.account, .date(0)),
      (.accessible, .text("xx")), (.accessible, .data(Array("ak".utf8))),
      (.accessGroup, .data([65])), (.creationDate, .number(5)),
    ]
    for (attribute, value) in foreign {
      #expect(sent(attribute, value) == .field(attribute.number), "\(attribute) \(value)")
    }
  }

  // MARK: Bad fields

  @Test func aFieldThatIsMissingOrMalformedIsNamed() throws {
    let item = password()
    let fields = try ItemRecord(item).fields
    for number in [1, 2, ItemAttribute.accessible.number, ItemAttribute.accessGroup.number]
      + [ItemAttribute.creationDate.number]
    {
      var changed = fields
      changed[number] = nil
      #expect(refusal(head(item, changed)) == .field(number))
    }
    for (number, bytes) in fields {
      for bad in [[], [9], [2], [0, 255], [2, 1, 2, 3], [3] + [UInt8](repeating: 0, count: 9)] {
        var changed = fields
        changed[number] = bad
        #expect(refusal(head(item, changed)) == .field(number), "\(bad) for \(bytes)")
      }
    }
    for letters in ["idnt", "genP", "", "genp "] {
      var changed = fields
      changed[1] = Array(letters.utf8)
      #expect(refusal(head(item, changed)) == .field(1))
    }
  }

  @Test func randomFieldsAreRefusedOrReadAsTheyAreWritten() throws {
    var random = SeededGenerator.ofThisRun
    let item = password()
    let fields = try ItemRecord(item).fields
    for _ in 0..<3_000 {
      var changed = fields
      let number = changed.keys.sorted().randomElement(using: &random) ?? 1
      if var bytes = changed[number], !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
        changed[number] = bytes
      }
      guard let read = try? ItemRecord(head(item, changed)) else { continue }
      #expect(read.fields == changed, "seed \(random.seed)")
    }
  }

  // MARK: Tombstones

  @Test func aTombstoneHasNoFields() throws {
    var item = password()
    item.isTombstone = true
    #expect(refusal(item) == .tombstone)
    #expect(refusal(head(item, [:])) == .tombstone)
    #expect(refusal(head(item, [2: [0]])) == .field(2))
  }

  // MARK: What nobody here knows

  @Test func aFieldThatNobodyKnowsOutlivesAnEdit() throws {
    let newer: UInt32 = 0x6E65_7721
    let item = password()
    var fields = try ItemRecord(item).fields
    fields[newer] = [4, 5]
    fields[3] = []
    let came = try ItemRecord(head(item, fields))
    #expect(came.item == item && came.unknown == [newer: [4, 5], 3: []])
    var edited = came.item
    edited.attributes[.label] = nil
    edited.attributes[.comment] = .text("new")
    let sent = try ItemRecord(edited, keeping: came.unknown)
    #expect(sent.fields[newer] == [4, 5] && sent.fields[3] == [])
    #expect(sent.fields[ItemAttribute.label.number] == nil)
    let read = try ItemRecord(head(edited, sent.fields))
    #expect(read.item == edited && read.unknown == came.unknown)
    let wrong = try ItemRecord(edited, keeping: [1: [9], ItemAttribute.account.number: [9]])
    #expect(wrong.unknown.isEmpty, "what is known is not kept over what it is")
  }

  @Test func thereAreNoMoreFieldsThanARecordMayHave() throws {
    let item = password()
    let own = try ItemRecord(item).fields.count
    func refused(_ count: Int) -> ItemRecord.Refusal? {
      let unknown = Dictionary(
        uniqueKeysWithValues: (0..<count).map { (UInt32(1000 + $0), [UInt8]()) }
      )
      do throws(ItemRecord.Refusal) {
        _ = try ItemRecord(item, keeping: unknown)
        return nil
      } catch { return error }
    }
    #expect(refused(RecordHead.fieldsMax - own) == nil)
    #expect(refused(RecordHead.fieldsMax - own + 1) == .tooManyFields)
  }

  // MARK: Contents

  @Test func theContentDiffersWithWhateverAPersonSees() throws {
    let item = password()
    let record = try ItemRecord(item)
    var others: [Item] = []
    func other(_ change: (inout Item) -> Void) {
      var changed = item
      change(&changed)
      others.append(changed)
    }
    other { $0.attributes[.account] = .text("bert") }
    other { $0.attributes[.account] = .data(Array("anna".utf8)) }
    other { $0.attributes[.label] = nil }
    other { $0.attributes[.comment] = .text("") }
    other { $0.group = "team.other" }
    other { $0.accessControl = AccessControl(.afterFirstUnlock) }
    other { $0.created = WallInstant(milliseconds: 1) }
    other { $0.hasData.toggle() }
    other { $0.itemClass = .internetPassword }
    let contents = try others.map { try ItemRecord($0).content }
    #expect(
      Set(contents + [record.content, ItemRecord.tombstoneContent]).count == others.count + 2
    )
    #expect(try ItemRecord(item, keeping: [3: [1]]).content != record.content)
    var later = item
    later.modified = WallInstant(milliseconds: 99)
    #expect(try ItemRecord(later).content == record.content)
  }

  @Test func twoDevicesThatAddTheSameItemNameItTheSame() throws {
    var random = SeededGenerator.ofThisRun
    for itemClass in ItemClass.stored {
      let item = Self.item(itemClass, .always, &random)
      var twin = item
      twin.identifier = ItemIdentifier(high: 1, low: 2)
      twin.created = WallInstant(milliseconds: 3)
      twin.attributes[.label] = .text("another")
      twin.accessControl = AccessControl(.whenUnlocked)
      let (one, other) = (try ItemRecord(item), try ItemRecord(twin))
      #expect(one.key == other.key && one.kind == other.kind)
      #expect(one.keyClass == .afterFirstUnlock && other.keyClass == .whenUnlocked)
      #expect(String(decoding: one.kind, as: UTF8.self) == itemClass.rawValue)
      twin.group = "team.third"
      #expect(try ItemRecord(twin).key != one.key)
    }
  }
}
