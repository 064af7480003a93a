import LocalAuthCore
import LocalAuthKeychain

extension ItemRecord {
  /// Reads an item.
  ///
  /// Whether it is the one that the record's name says, ``kind`` and ``key`` tell.
  ///
  /// - Throws: ``Refusal``.
  public init(_ head: RecordHead) throws(Refusal) {
    if head.version.isTombstone {
      throw head.fields.keys.min().map { .field($0) } ?? .tombstone
    }
    let fields = ItemFields(head.fields)
    var item = try fields.bareItem(head.version)
    var unknown: [UInt32: [UInt8]] = [:]
    for (number, bytes) in head.fields where number != Own.itemClass && number != Own.hasData {
      guard let attribute = ItemAttribute(number: number) else {
        unknown[number] = bytes
        continue
      }
      if Self.required.contains(attribute) { continue }
      guard !Self.staying.contains(attribute) else { throw .field(number) }
      item.attributes[attribute] = try fields.value(attribute)
    }
    try self.init(item, keeping: unknown)
  }
}

/// The fields of a record, as they are read.
private struct ItemFields {
  private let values: [UInt32: [UInt8]]

  init(_ values: [UInt32: [UInt8]]) { self.values = values }

  /// An item of the fields that every record has.
  func bareItem(_ version: RecordVersion) throws(ItemRecord.Refusal) -> Item {
    let protection = try protection(version.keyClass)
    return Item(
      identifier: version.identifier,
      itemClass: try itemClass(),
      group: try text(.accessGroup),
      accessControl: AccessControl(protection),
      isSynchronizable: true,
      created: try created(),
      modified: version.modified,
      hasData: try hasData()
    )
  }

  func value(_ attribute: ItemAttribute) throws(ItemRecord.Refusal) -> AttributeValue {
    guard let value = values[attribute.number].flatMap({ AttributeValue(markedBytes: $0) }) else {
      throw .field(attribute.number)
    }
    return value
  }

  private func text(_ attribute: ItemAttribute) throws(ItemRecord.Refusal) -> String {
    guard case .text(let text) = try value(attribute) else { throw .field(attribute.number) }
    return text
  }

  private func itemClass() throws(ItemRecord.Refusal) -> ItemClass {
    let found = ItemClass.stored.first {
      Array($0.rawValue.utf8) == values[ItemRecord.Own.itemClass]
    }
    guard let found else { throw .field(ItemRecord.Own.itemClass) }
    return found
  }

  private func hasData() throws(ItemRecord.Refusal) -> Bool {
    guard let flag = values[ItemRecord.Own.hasData], flag == [0] || flag == [1] else {
      throw .field(ItemRecord.Own.hasData)
    }
    return flag == [1]
  }

  /// The protection, which has to be one of those that `keyClass` seals.
  private func protection(
    _ keyClass: ZoneKeyClass
  ) throws(ItemRecord.Refusal) -> ProtectionClass {
    let letters = try text(.accessible).utf8
    guard
      let found = ProtectionClass.allCases.first(where: { $0.rawValue.utf8.elementsEqual(letters) })
    else { throw .field(ItemAttribute.accessible.number) }
    guard let needed = ZoneKeyClass(found) else { throw .staysHere }
    guard needed == keyClass else { throw .field(ItemAttribute.accessible.number) }
    return found
  }

  private func created() throws(ItemRecord.Refusal) -> WallInstant {
    guard case .date(let created) = try value(.creationDate) else {
      throw .field(ItemAttribute.creationDate.number)
    }
    return WallInstant(milliseconds: created)
  }
}
