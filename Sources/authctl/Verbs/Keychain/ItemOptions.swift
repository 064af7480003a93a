import LocalAuthCore
import LocalAuthKeychain

/// The options that select items and change them.
enum ItemOptions {
  static let itemClass = Option<ItemClassName?>(
    "class",
    "CLASS",
    help: "the kind of item; generic-password unless it is given"
  )
  static let synchronizable = Flag("synchronizable", help: "meant for other devices too")
  static let reference = Option<ReferenceText?>(
    "reference",
    "BASE64",
    help: "the one item of this persistent reference"
  )
  static let accessControl = Option<AccessControlText?>(
    "access-control",
    "FLAGS",
    help: "what must be proven, such as biometryAny"
  )
  static let eachUse = Flag("each-use", help: "ask again at each use of the item")

  static let port = Option<PortNumber?>("port", "N", help: "the port")
  static let `protocol` = Option<ProtocolName?>("protocol", "NAME", help: "the protocol")
  static let accessible = Option<AccessibleName?>(
    "accessible",
    "NAME",
    help: "when it can be opened"
  )
  static let group = Option<String?>("access-group", "GROUP", help: "the access group")

  static let newPort = Option<PortNumber?>("set-port", "N", help: "the new port")
  static let newProtocol = Option<ProtocolName?>("set-protocol", "NAME", help: "the new protocol")
  static let newAccessible = Option<AccessibleName?>(
    "set-accessible",
    "NAME",
    help: "when it can be opened from now on"
  )
  static let newAccessControl = Option<AccessControlText?>(
    "set-access-control",
    "FLAGS",
    help: "what must be proven from now on"
  )
  static let newSynchronizable = Option<SynchronizableChoice?>(
    "set-synchronizable",
    "CHOICE",
    help: "whether it is meant for other devices too, from now on"
  )
  static let newGroup = Option<String?>(
    "set-access-group",
    "GROUP",
    help: "the access group that it moves to"
  )

  /// A text attribute: the option that describes it, and the one that changes it.
  struct Text {
    let attribute: ItemAttribute
    let option: Option<String?>
    let change: Option<String?>

    fileprivate init(_ name: String, _ attribute: ItemAttribute, _ help: String) {
      self.attribute = attribute
      option = Option(name, "TEXT", help: help)
      change = Option("set-" + name, "TEXT", help: "the new one: \(help)")
    }
  }

  static let texts = [
    Text("account", .account, "whose it is"),
    Text("service", .service, "what a generic password is for"),
    Text("server", .server, "the host of an internet password"),
    Text("path", .path, "the path on the server"),
    Text("security-domain", .securityDomain, "the realm on the server"),
    Text("label", .label, "what people read"),
    Text("comment", .comment, "a remark"),
    Text("description", .description, "the kind, in words"),
    Text("generic", .generic, "anything of the program's own"),
    Text("application-tag", .applicationTag, "the tag of a key"),
  ]

  /// The options that describe an item to find or add.
  static var describing: [OptionDeclaration] {
    [itemClass.declaration] + texts.map { $0.option.declaration } + [
      port.declaration, Self.protocol.declaration, synchronizable.declaration,
      accessible.declaration, group.declaration,
    ]
  }

  /// The options that change an item.
  static var changing: [OptionDeclaration] {
    texts.map { $0.change.declaration } + [
      newPort.declaration, newProtocol.declaration, newAccessible.declaration,
      newAccessControl.declaration, newSynchronizable.declaration, newGroup.declaration,
    ]
  }
}

/// Converts the options to keychain dictionaries.
struct ItemArguments {
  /// The class of the items.
  let itemClass: ItemClass
  private let arguments: ParsedArguments
  private let isCode: Bool

  /// Reads options and a name; that of a one-time code is the name of an item of its own.
  init(_ arguments: ParsedArguments, ofCode isCode: Bool = false) {
    self.arguments = arguments
    self.isCode = isCode
    itemClass = Self.itemClass(arguments)
  }

  /// The name that was typed; nil if there is none.
  var name: TypedName? {
    get throws(Failure) { try TypedName(arguments, of: itemClass) }
  }

  private static func itemClass(_ arguments: ParsedArguments) -> ItemClass {
    arguments[ItemOptions.itemClass]?.itemClass
      ?? arguments[ItemOptions.reference]?.reference.itemClass ?? .genericPassword
  }

  /// When the items can be opened; nil if no option says so.
  var protection: ProtectionClass? { arguments[ItemOptions.accessible]?.protection }

  /// Returns the item to add, which has a name.
  func namedItem() throws(Failure) -> QueryDictionary {
    try requireName()
    return try item()
  }

  /// Returns what the command line says of the items to add.
  func item() throws(Failure) -> QueryDictionary {
    var item = try attributes()
    if arguments[ItemOptions.synchronizable] {
      try requireForOtherDevices(
        ItemOptions.accessible,
        ItemOptions.accessControl,
        ItemOptions.synchronizable.declaration
      )
    }
    if let control = arguments[ItemOptions.accessControl] {
      item[ItemAttribute.accessible.rawValue] = nil
      item[ItemAttribute.accessControl.rawValue] = .accessControl(
        try control.control(
          protection ?? itemClass.defaultProtection,
          asksAtEachUse: arguments[ItemOptions.eachUse]
        )
      )
    } else if arguments[ItemOptions.eachUse] {
      throw Failure(.usage, "'--each-use' says how often to ask: say what for, --access-control.")
    }
    return item
  }

  /// Fails for an item that no verb could name again, and for an address, which is no name.
  private func requireName() throws(Failure) {
    let isDescribed = ItemOptions.texts.contains { arguments[$0.option] != nil }
    guard let word = arguments[TypedName.name] else {
      guard !isDescribed else { return }
      throw Failure(
        .usage,
        "Say what it is called: give mail, mail/me or mail me, or an attribute such as --account."
      )
    }
    guard word.contains("://"), arguments[TypedName.account] == nil else { return }
    throw Failure(
      .usage,
      "That is an address. What a server asks for is an internet password: give HOST/ACCOUNT with "
        + "--class internet-password, and --protocol, --port and --path."
    )
  }

  /// Fails where one of the options keeps the item on this device, and `meant` says that it is for others too.
  private func requireForOtherDevices(
    _ accessible: Option<AccessibleName?>,
    _ accessControl: Option<AccessControlText?>,
    _ meant: OptionDeclaration
  ) throws(Failure) {
    let isForThisDevice = arguments[accessible]?.protection.isThisDeviceOnly ?? false
    guard isForThisDevice || arguments[accessControl] != nil else { return }
    let option = isForThisDevice ? accessible.declaration : accessControl.declaration
    throw Failure(
      .usage,
      "With this '\(option.spelling)' the item stays on this device: leave it or "
        + "'\(meant.spelling)' out."
    )
  }

  /// Returns the query for the selected items; with `isAll` it may match all of the class.
  func query(isAll: Bool) throws(Failure) -> QueryDictionary {
    let described = try attributes()
    guard let reference = arguments[ItemOptions.reference]?.reference else {
      guard isAll || described.entries.count > 1 else {
        throw Failure(
          .usage,
          "Say which item: give its name, an attribute such as --account, or --reference."
        )
      }
      // A person who names an item means it, wherever else it is.
      let isNarrow = arguments[ItemOptions.synchronizable]
      return isNarrow ? described : described.withSynchronizable(.text(QueryKey.synchronizableAny))
    }
    guard described.entries.count == 1 else {
      throw Failure(.usage, "'--reference' names one item: leave out its name and attributes.")
    }
    guard reference.itemClass == itemClass else {
      throw Failure(.usage, "'--reference' is that of another class: leave out '--class'.")
    }
    return [QueryKey.valuePersistentReference.rawValue: .data(reference.bytes)]
  }

  /// Returns the changes to the items.
  func changes() throws(Failure) -> QueryDictionary {
    var changes = QueryDictionary()
    for text in ItemOptions.texts {
      try set(text.attribute, arguments[text.change].map { .text($0) }, text.change, &changes)
    }
    let port = arguments[ItemOptions.newPort].map { QueryValue.number($0.number) }
    try set(.port, port, ItemOptions.newPort, &changes)
    let name = arguments[ItemOptions.newProtocol].map { QueryValue.text($0.letters) }
    try set(.protocol, name, ItemOptions.newProtocol, &changes)
    try set(
      .accessGroup,
      arguments[ItemOptions.newGroup].map { .text($0) },
      ItemOptions.newGroup,
      &changes
    )
    if let choice = arguments[ItemOptions.newSynchronizable] {
      if choice == .yes {
        try requireForOtherDevices(
          ItemOptions.newAccessible,
          ItemOptions.newAccessControl,
          ItemOptions.newSynchronizable.declaration
        )
      }
      changes[ItemAttribute.synchronizable.rawValue] = .boolean(choice == .yes)
    }
    let protection = arguments[ItemOptions.newAccessible]?.protection
    if let control = arguments[ItemOptions.newAccessControl] {
      changes[ItemAttribute.accessControl.rawValue] = .accessControl(
        try control.control(protection ?? itemClass.defaultProtection)
      )
    } else if let protection {
      changes[ItemAttribute.accessible.rawValue] = .text(protection.rawValue)
    }
    return changes
  }

  /// Returns the class and all attributes given.
  private func attributes() throws(Failure) -> QueryDictionary {
    var found: QueryDictionary = [QueryKey.itemClass.rawValue: .text(itemClass.rawValue)]
    for text in ItemOptions.texts {
      try set(text.attribute, arguments[text.option].map { .text($0) }, text.option, &found)
    }
    let port = arguments[ItemOptions.port].map { QueryValue.number($0.number) }
    try set(.port, port, ItemOptions.port, &found)
    let name = arguments[ItemOptions.protocol].map { QueryValue.text($0.letters) }
    try set(.protocol, name, ItemOptions.protocol, &found)
    let group = arguments[ItemOptions.group].map { QueryValue.text($0) }
    try set(.accessGroup, group, ItemOptions.group, &found)
    let protection = arguments[ItemOptions.accessible]?.protection.rawValue
    try set(.accessible, protection.map { .text($0) }, ItemOptions.accessible, &found)
    if let name = try self.name { try add(name, to: &found) }
    if isCode { try CodeVerb.rename(&found, itemClass) }
    if arguments[ItemOptions.synchronizable] {
      found[ItemAttribute.synchronizable.rawValue] = .boolean(true)
    }
    return found
  }

  /// Adds what a typed name stands for to the attributes that options gave.
  private func add(_ name: TypedName, to found: inout QueryDictionary) throws(Failure) {
    for (attribute, text) in [(name.attribute, name.text), (.account, name.account)] {
      guard let text else { continue }
      guard found[attribute.rawValue] == nil else {
        let option = ItemOptions.texts.first { $0.attribute == attribute }?.option.declaration
        throw Failure(
          .usage,
          "The name says it already: leave out '\(option?.spelling ?? attribute.rawValue)'."
        )
      }
      found[attribute.rawValue] = .text(text)
    }
  }

  private func set<Value>(
    _ attribute: ItemAttribute,
    _ value: QueryValue?,
    _ option: Option<Value>,
    _ dictionary: inout QueryDictionary
  ) throws(Failure) {
    guard let value else { return }
    guard attribute.belongs(to: itemClass) else {
      let classes = ItemClass.stored.filter { attribute.belongs(to: $0) }
        .map { ItemClassName.name(of: $0) }.joined(separator: " or ")
      throw Failure(
        .usage,
        "'\(option.declaration.spelling)' is an option of --class \(classes), not of "
          + "\(ItemClassName.name(of: itemClass))."
      )
    }
    dictionary[attribute.rawValue] = value
  }
}

extension QueryDictionary {
  /// The same, with this said of which items match.
  fileprivate func withSynchronizable(_ value: QueryValue) -> QueryDictionary {
    var dictionary = self
    dictionary[ItemAttribute.synchronizable.rawValue] = value
    return dictionary
  }
}
