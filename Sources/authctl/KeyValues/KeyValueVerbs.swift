import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthPropertyList
import LocalAuthSecret
import LocalAuthTerminal

/// `authctl kv get|set|remove|list|watch`.
enum KeyValueVerbs {
  static let key = Argument<String>("KEY", source: .keys, help: "the key, of at most 64 bytes")
  static let keys = Argument<[String]>("KEY", source: .keys, help: "the keys")
  static let value = Argument<String?>("VALUE", help: "the value, as its type is written")
  static let store = Option<String?>(
    "store",
    "GROUP",
    help: "the store of another of your access groups than the first"
  )
  static let type = Option<ValueKind>(
    "type",
    "TYPE",
    default: "string",
    help: "what VALUE is: json for arrays and dictionaries"
  )
  static let stdin = Flag(
    "stdin",
    help: "read the value from standard input, a text with the newlines at its end"
  )
  static let all = Flag("all", help: "remove every value of the store")

  static let command = Command(
    "kv",
    abstract: "Keep small values that programs share: settings, not secrets.",
    discussion: """
      A store belongs to an access group and a device, or all devices of its circle (see 'authctl sync'). It has at
      most 1,024 keys and 1 MiB of values, lies encrypted on the disk, and is open from the first unlock of the device
      on, also while it is locked.
      """,
    subcommands: [get, set, remove, list, KeyValueWatchVerb.command]
  )

  static let get = Command(
    "get",
    abstract: "Print the value of a key.",
    discussion: """
      Texts are printed as they are, data as base64, dates in UTC, arrays and dictionaries as JSON.

        authctl --device demo kv get theme
      """,
    arguments: [key.declaration],
    options: [store.declaration]
  ) { (context) throws(Failure) in
    let key = context.arguments[key]
    let read = try read([key], context)
    guard let found = read.values.first else {
      throw Failure(.itemNotFound, "There is no value of '\(key)': 'kv list' shows all keys.")
    }
    let value = try list(found.value)
    return Report("\(key) is \(value.text).", answer: [value.text]) {
      write(key, value, size: found.value.count, to: &$0)
      $0.member("revision", read.revision)
    }
  }

  static let set = Command(
    "set",
    abstract: "Keep a value under a key.",
    discussion: """
      The value is a text unless --type says otherwise.

        authctl --device demo kv set theme dark
        authctl --device demo kv set volume 11 --type int
        authctl --device demo kv set window '{"width": 800, "open": true}' --type json
      """,
    arguments: [key.declaration, value.declaration],
    options: [type.declaration, stdin.declaration, store.declaration]
  ) { (context) throws(Failure) in
    let key = context.arguments[key]
    guard !key.isEmpty else { throw Failure(.usage, "The key is empty: give it a name.") }
    let bytes = try bytes(of: try typed(context))
    let (revision, _) = try write([(key, bytes)], context)
    return Report("\(key) was set.") {
      $0.member("key", key)
      $0.member("revision", revision)
    }
  }

  static let remove = Command(
    "remove",
    abstract: "Remove values.",
    discussion: """
      A key without a value is no error. With --all it asks on the terminal whether to go on, unless --yes is
      given.

        authctl --device demo kv remove theme
      """,
    arguments: [keys.declaration],
    options: [all.declaration, store.declaration, Confirmation.yes.declaration]
  ) { (context) throws(Failure) in
    let keys = context.arguments[keys]
    let isAll = context.arguments[all]
    guard keys.isEmpty == isAll else {
      throw Failure(.usage, "Give the keys to remove, or --all for every one.")
    }
    if isAll, context.asksToGoOn { try confirmRemoval(context) }
    let (revision, isChange) = try write(keys.map { ($0, nil) }, removingAll: isAll, context)
    let several = "\(keys.joined(separator: ", ")) have no value any more."
    let removed = keys.count > 1 ? several : "\(isAll ? "Every value" : keys[0]) was removed."
    return Report(isChange ? removed : "There was nothing to remove.") {
      $0.member("keys", keys)
      $0.member("revision", revision)
    }
  }

  /// Asks whether all values are to go, if there are any; those of a damaged store cannot be counted.
  private static func confirmRemoval(_ context: VerbContext) throws(Failure) {
    let count = (try? read(nil, context))?.values.count
    guard count != 0 else { return }
    let values = count.map { CountText.of($0, "value") } ?? "All values"
    try context.confirm("\(values) will be removed, on all devices of the circle if there is one.")
  }

  static let list = Command(
    "list",
    abstract: "List keys, types and values.",
    discussion: """
        authctl --device demo kv list
      """,
    options: [store.declaration]
  ) { (context) throws(Failure) in
    let read = try read(nil, context)
    var rows: [(key: String, value: PropertyList, size: Int)] = []
    for (key, bytes) in read.values { rows.append((key, try list(bytes), bytes.count)) }
    let lines = Columns.table(
      rows.map { [$0.key, $0.value.kind.rawValue, $0.value.text] }
    )
    let sentence = CountText.of(rows.count, "value") + "."
    return Report(sentence, answer: lines) { [rows] in
      $0.member("items", rows) { row, writer in
        write(row.key, row.value, size: row.size, to: &writer)
      }
      $0.member("revision", read.revision)
    }
  }

  // MARK: The store

  static func address(_ context: VerbContext) throws(Failure) -> GroupAddress {
    GroupAddress(
      try context.device(),
      context.arguments[store],
      writer: Int64.random(in: 0 ... .max)
    )
  }

  private static func read(
    _ keys: [String]?,
    _ context: VerbContext
  ) throws(Failure) -> KeyValuesRead {
    let address = try address(context)
    var connection = try context.connect()
    return try context.calling(on: address.device) { () throws(ClientError) in
      try connection.readKeyValues(of: keys, address)
    }
  }

  private static func write(
    _ changes: [(key: String, value: [UInt8]?)],
    removingAll isAll: Bool = false,
    _ context: VerbContext
  ) throws(Failure) -> (revision: Int64, isChange: Bool) {
    let address = try address(context)
    var connection = try context.connect()
    let written = try context.calling(on: address.device) { () throws(ClientError) in
      try connection.writeKeyValues(changes, removingAll: isAll, address)
    }
    guard written.refused.isEmpty else {
      throw Failure(
        .keychainError,
        "The store has room for 1,024 keys and 1 MiB of values: 'kv list --json' shows what takes how much, "
          + "'kv remove' makes room. Nothing was changed."
      )
    }
    return (written.revision, written.isChange)
  }

  // MARK: Values

  private static func typed(_ context: VerbContext) throws(Failure) -> PropertyList {
    let arguments = context.arguments
    let kind = arguments[type]
    guard (arguments[value] == nil) == arguments[stdin] else {
      throw Failure(.usage, "Give the value, or --stdin to read it from standard input.")
    }
    var text = if let value = arguments[value] { value } else { try standardInput() }
    // The end of a line belongs to a text alone.
    if arguments[stdin], kind != .string, text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
    guard let read = kind.value(text) else {
      throw Failure(.usage, "That is no value of the type \(kind.rawValue): give \(kind.example).")
    }
    return read
  }

  private static func standardInput() throws(Failure) -> String {
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(.usage, "Standard input is a terminal: give the value as an argument.")
    }
    let secret = try SecretFile.read(STDIN_FILENO, as: "value", limit: 4 << 20)
    // SAFETY: the bytes are copied within the call.
    let text = unsafe secret.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    guard let text else {
      throw Failure(.usage, "Standard input is no UTF-8: give data as base64.")
    }
    return text
  }

  private static func bytes(of value: PropertyList) throws(Failure) -> [UInt8] {
    do throws(PropertyListError) { return try value.binary() } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  private static func list(_ bytes: [UInt8]) throws(Failure) -> PropertyList {
    do throws(PropertyListError) { return try PropertyList(binary: bytes) } catch {
      throw Failure(.internalError, "The daemon's answer was not understood: \(error)")
    }
  }

  private static func write(
    _ key: String,
    _ value: PropertyList,
    size: Int,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("key", key)
    writer.member("type", value.kind.rawValue)
    writer.member("bytes", Int64(size))
    writer.key(named: "value")
    writer.value(value.json)
  }
}
