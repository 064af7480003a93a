import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain

/// An item formatted for people and for programs, never its secret.
enum ItemText {
  /// The columns of a list.
  struct TableColumns: Sendable {
    let heads: [String]
    let row: @Sendable (RemoteItem) -> [String]
  }

  /// What a list shows of what guards items.
  static let guarded = TableColumns(
    heads: ["CLASS", "ACCOUNT", "SERVICE", "GROUP", "ACCESSIBLE", "ACCESS CONTROL"],
    row: { found in
      let item = found.item
      let flags = item?.accessControl.flags.text ?? ""
      return [
        ItemClassName.name(of: found.itemClass), first([.account, .label], of: item),
        first([.service, .server], of: item), item?.group ?? "-",
        item?.accessControl.protection.name ?? "-", flags.isEmpty ? "-" : flags,
      ]
    }
  )

  /// What a list shows of when items were made and changed.
  static let dated = TableColumns(
    heads: ["ACCOUNT", "SERVICE", "CREATED", "MODIFIED"],
    row: { found in
      let item = found.item
      return [
        first([.account, .label], of: item), first([.service, .server], of: item),
        day(item?.created), day(item?.modified),
      ]
    }
  )

  /// The rows of a list, which say which items are on other devices if any is.
  static func table(_ items: [RemoteItem], _ columns: TableColumns) -> [[String]] {
    guard !items.isEmpty else { return [] }
    let rows = [columns.heads] + items.map { columns.row($0) }
    guard items.contains(where: { $0.item?.isSynchronizable ?? false }) else { return rows }
    let marks = items.map { $0.item?.isSynchronizable ?? false ? "yes" : "-" }
    return zip(rows, ["SYNC"] + marks).map { $0 + [$1] }
  }

  /// The day of a time, in UTC.
  private static func day(_ instant: WallInstant?) -> String {
    instant.map { String(Timestamp.text($0.milliseconds).prefix { $0 != "T" }) } ?? "-"
  }

  /// The place of an item in a list: by service or server, then by account or label.
  static func order(_ found: RemoteItem) -> [String] {
    let names = [[ItemAttribute.service, .server], [.account, .label]].map {
      first($0, of: found.item)
    }
    // Of two names that differ in case only, the order is that of their characters.
    return names.map { $0.lowercased() } + names + [found.identifier.text]
  }

  private static func first(_ attributes: [ItemAttribute], of item: Item?) -> String {
    for attribute in attributes {
      guard let value = item?.attributes[attribute] else { continue }
      let text = text(value)
      if !text.isEmpty { return text }
    }
    return "-"
  }

  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .text(let text): text
    case .number(let number): String(number)
    case .date(let milliseconds): Timestamp.text(milliseconds)
    case .data(let bytes): bytes.isEmpty ? "" : "(\(bytes.count) bytes)"
    }
  }

  /// Writes the members of an item.
  static func write<Sink: ~Copyable>(_ found: RemoteItem, to writer: inout JSONWriter<Sink>) {
    let item = found.item
    let flags = item?.accessControl.flags.text
    writer.member("class", ItemClassName.name(of: found.itemClass))
    writer.member("identifier", found.identifier.text)
    writer.key("reference")
    writer.base64(PersistentReference.item(found.itemClass, found.identifier).bytes.span)
    writer.member("group", item?.group)
    writer.member("created", item.map { Timestamp.text($0.created.milliseconds) })
    writer.member("modified", item.map { Timestamp.text($0.modified.milliseconds) })
    writer.member("accessible", item?.accessControl.protection.name)
    writer.member("accessControl", flags.flatMap { $0.isEmpty ? nil : $0 })
    writer.member("synchronizable", item?.isSynchronizable ?? false)
    writer.member("attributes") { writer in
      let sorted = (item?.attributes ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
      for (attribute, value) in sorted { write(value, of: attribute, to: &writer) }
    }
  }

  /// Writes a value in its JSON type, or as an object that names its type.
  private static func write<Sink: ~Copyable>(
    _ value: AttributeValue,
    of attribute: ItemAttribute,
    to writer: inout JSONWriter<Sink>
  ) {
    writer.key(named: attribute.rawValue)
    switch value {
    case .text(let text): writer.string(text)
    case .number(let number): writer.int(number)
    case .data(let bytes):
      writer.beginObject()
      writer.key("data")
      writer.base64(bytes.span)
      writer.endObject()
    case .date(let milliseconds):
      writer.beginObject()
      writer.key("date")
      writer.int(milliseconds)
      writer.endObject()
    }
  }
}
