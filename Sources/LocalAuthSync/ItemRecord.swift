import LocalAuthCore
public import LocalAuthKeychain

/// An item as the fields of a record.
///
/// A field has the number of its attribute, four letters, and a value with its type; class and whether there is data
/// have small numbers. Identifier, modification date and whether it was deleted are in ``RecordVersion``, and the data
/// is the record's secret.
///
/// | attribute                                                | what becomes of it                           |
/// |----------------------------------------------------------|----------------------------------------------|
/// | access control                                           | an item that has one stays on its device     |
/// | sharing group, token                                     | the same                                     |
/// | application clip, bound to the system, synchronizable    | stays; each device has its own               |
/// | protection, access group, date of creation               | travels, and every record has it             |
/// | any other of its class                                   | travels                                      |
public struct ItemRecord: Hashable, Sendable {
  /// Why an item is no record, or a record no item.
  public enum Refusal: Error, Hashable, Sendable {
    /// Only this device may have the item: it is not synchronizable, is of a class of this device only, or must not
    /// leave its keychain.
    case staysHere
    /// Something must be proven before it is used.
    case accessControl
    /// It belongs to a token.
    case token
    /// It belongs to a sharing group.
    case sharingGroup
    /// It was deleted: a tombstone has no fields.
    case tombstone
    /// The field with this number is malformed, missing, or none that such an item may have.
    case field(UInt32)
    /// It would have more fields than a record may.
    case tooManyFields
  }

  /// The item, without what does not travel.
  public let item: Item
  /// Fields that this version does not know, which are sent again.
  public let unknown: [UInt32: [UInt8]]

  /// The record of an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - unknown: The fields that came with it and this version does not know.
  /// - Throws: ``Refusal``, for an item that never leaves its device.
  public init(_ item: Item, keeping unknown: [UInt32: [UInt8]] = [:]) throws(Refusal) {
    try Self.checkLeaving(item)
    var travelling = item
    // What is trivial requires only its protection.
    travelling.accessControl = AccessControl(item.accessControl.protection)
    travelling.attributes = item.attributes.filter { !Self.staying.contains($0.key) }
    for (attribute, value) in travelling.attributes {
      guard attribute.belongs(to: item.itemClass), attribute.kind.admits(value),
        !Item.fields.contains(attribute)
      else { throw .field(attribute.number) }
    }
    self.item = travelling
    self.unknown = unknown.filter { !Self.known.contains($0.key) }
    guard fields.count <= RecordHead.fieldsMax else { throw .tooManyFields }
  }

  private static func checkLeaving(_ item: Item) throws(Refusal) {
    guard !item.isTombstone else { throw .tombstone }
    guard item.leavesDevice, item.isExtractable, item.group != AccessGroups.internalGroup else {
      throw .staysHere
    }
    guard item.accessControl.isTrivial else { throw .accessControl }
    func isGiven(_ attribute: ItemAttribute) -> Bool {
      item.attributes[attribute].map { !$0.canonicalBytes.isEmpty } ?? false
    }
    guard item.group != AccessGroups.token, !isGiven(.tokenID) else { throw .token }
    // It is part of the primary key, so without it two items would have one name.
    guard !isGiven(.sharingGroup) else { throw .sharingGroup }
    guard item.itemClass != .identity else { throw .field(Own.itemClass) }
  }

  // MARK: Fields

  /// The numbers of fields that are no attributes.
  enum Own {
    static let itemClass: UInt32 = 1
    static let hasData: UInt32 = 2
  }

  /// The attributes that stay.
  static let staying: Set<ItemAttribute> = [.sharingGroup, .systemBound, .appClip]
  /// The fields of an item's own that every record has.
  static let required: [ItemAttribute] = [.accessible, .accessGroup, .creationDate]
  /// The numbers that this version gives a meaning, or refuses.
  private static let known = Set(
    ItemAttribute.allCases.map(\.number) + [Own.itemClass, Own.hasData]
  )

  /// What is sealed of it, besides its version.
  public var fields: [UInt32: [UInt8]] {
    var values: [UInt32: [UInt8]] = [
      Own.itemClass: Array(item.itemClass.rawValue.utf8), Own.hasData: [item.hasData ? 1 : 0],
    ]
    for attribute in Self.required {
      values[attribute.number] = item.value(of: attribute)?.markedBytes
    }
    for (attribute, value) in item.attributes { values[attribute.number] = value.markedBytes }
    return RecordHead.fields(values, known: Self.known, over: unknown)
  }
}

// MARK: Names and contents

extension ItemRecord {
  /// What sort of record it is, for ``RecordName/message(kind:key:)``: the four letters of its class.
  public var kind: [UInt8] { Array(item.itemClass.rawValue.utf8) }

  /// What distinguishes it from others of its class.
  public var key: [UInt8] { PrimaryKey(of: item).bytes }

  /// Which key seals it.
  public var keyClass: ZoneKeyClass {
    guard let keyClass = ZoneKeyClass(item.accessControl.protection) else {
      preconditionFailure("what leaves a device has the class of a zone's key")
    }
    return keyClass
  }

  /// What stands for its content, beside its secret.
  ///
  /// The modification date is no field: who saves an item unchanged makes a version and no content.
  public var content: [UInt8] { RecordHead.content(of: fields) }

  /// What stands for the content of a tombstone.
  public static let tombstoneContent = RecordHead.content(of: [:])
}
