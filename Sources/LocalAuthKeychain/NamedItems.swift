import LocalAuthCore

/// What a prompt asks a person to allow: operations on named items.
public struct NamedItems: Hashable, Sendable {
  /// The most items that one search names; of the others only the number is given.
  public static let mostNames = 4
  /// The most items that several searches name, each of which asks for one item.
  public static let mostSearched = 32

  /// The operations to allow.
  public let operations: [AccessOperation]
  /// The access control of the items.
  public let accessControl: AccessControl
  /// The number of items; nil if every item with this access control is meant and none is named.
  public let count: Int?
  /// The names of the first items.
  public let names: [ItemName]

  /// One operation on `count` items, the first of which have these names; at most `most` are kept.
  public init(
    _ operation: AccessOperation,
    _ names: [ItemName],
    of count: Int,
    _ accessControl: AccessControl,
    naming most: Int = mostNames
  ) {
    operations = [operation]
    self.accessControl = accessControl
    self.count = count
    self.names = Array(names.prefix(most))
  }

  /// Operations on every item with an access control.
  public init(_ operations: [AccessOperation], onEvery accessControl: AccessControl) {
    self.operations = operations
    self.accessControl = accessControl
    count = nil
    names = []
  }

  /// The request as an infinitive without its "to", and without the names of items: `open 1 item`.
  ///
  /// The audit has it, which is read where the attributes of items are not: they are encrypted.
  public var summary: String {
    guard let count else { return text }
    return "\(deed) \(CountText.of(count, "item"))"
  }

  private var deed: String { operations.map(\.words).joined(separator: " or ") }

  /// The request as an infinitive without its "to", for a person: `open "mail" (account me)`.
  public var text: String {
    guard let count else {
      let range = accessControl.asksAtEachUse ? "one" : "any"
      let noun = operations.contains(where: \.usesKey) ? "key" : "item"
      return "\(deed) \(range) \(noun) that asks for \(accessControl.flags.text)"
    }
    guard count > 1 else { return "\(deed) \(names.first?.text ?? "an item")" }
    guard !names.isEmpty else { return summary }
    var list = names.map(\.text)
    if count > names.count { list.append("\(count - names.count) more") }
    let all = list.dropLast().joined(separator: ", ")
    return "\(deed) \(count) items: \(all) and \(list[list.count - 1])"
  }
}

extension AccessOperation {
  /// The verb that precedes the name of an item.
  fileprivate var words: String {
    switch self {
    case .decrypt: "open"
    case .update: "change"
    case .encrypt: "add"
    case .delete: "delete"
    case .sign: "sign with"
    case .computeKey: "agree on a secret with"
    case .decapsulate: "unwrap a secret with"
    case .attest: "attest to"
    case .use: "use"
    }
  }
}
