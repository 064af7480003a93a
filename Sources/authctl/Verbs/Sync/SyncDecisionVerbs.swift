import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthWire

/// `authctl sync conflicts|resolve|head`: what a person looks at and decides.
enum SyncDecisionVerbs {
  static let conflict = Argument<String>("ID", help: "how the id in 'sync conflicts' begins")
  static let restore = Flag(
    "restore",
    help: "put it in place of what stands, which is kept in its stead"
  )
  static let discard = Flag("discard", help: "throw it away")

  static let conflicts = Command(
    "conflicts",
    abstract:
      "Show what was overruled when two devices changed the same item, value or row.",
    discussion: """
      The later change stands on all devices. The other one is kept for 30 days, on the device that saw both first, and
      not shown: 'authctl sync resolve --restore' puts it back. A value that was here before the device joined is
      overruled by that of the other devices. Versions of a document that are in conflict are shown by
      'authctl doc versions'.
      """,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let all = try conflicts(context, try context.device())
    let rows = all.map { conflict in
      [
        String(conflict.id.prefix(8)), origin(conflict),
        name(conflict) + (conflict.isDeleted ? ", deleted since" : ""),
      ]
    }
    let sentence =
      all.isEmpty
      ? "Nothing that was overruled is kept on this device."
      : "\(CountText.of(all.count, "change")) overruled."
    return Report(sentence, answer: Columns.table(rows)) {
      $0.member("conflicts", all) { write($0, to: &$1) }
    }
  }

  /// All that was overruled and is kept on the device.
  static func conflicts(
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> [SyncMessages.Conflict] {
    var all: [SyncMessages.Conflict] = []
    while true {
      let reply = try context.call(Methods.syncConflicts, listCall(device, after: all.count))
      all += reply.conflicts
      guard !reply.conflicts.isEmpty, all.count < reply.total else { return all }
    }
  }

  static let resolve = Command(
    "resolve",
    abstract: "Decide about something that was overruled.",
    discussion: """
      What is restored goes to the other devices too.

        authctl sync resolve 5c0ffee1 --restore
      """,
    arguments: [conflict.declaration],
    options: [restore.declaration, discard.declaration],
    exclusions: [["restore", "discard"]],
    isAboutDevice: true
  ) { (context) throws(Failure) in try resolve(context) }

  private static func resolve(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    guard arguments[restore] || arguments[discard] else {
      throw Failure(.usage, "Give --restore or --discard.")
    }
    let device = try context.device()
    let begin = arguments[conflict].lowercased()
    let found = try conflicts(context, device).filter { $0.id.hasPrefix(begin) }
    guard let chosen = found.first, !begin.isEmpty else {
      throw Failure(
        .itemNotFound,
        "Nothing that was overruled has this id; 'sync conflicts' shows all."
      )
    }
    guard found.count == 1 else {
      throw Failure(.usage, "\(found.count) ids begin so: give more of it.")
    }
    var call = SyncMessages.ResolveCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.conflict = chosen.id
    call.decision = arguments[restore] ? "restore" : "discard"
    let _: Methods.Empty = try context.call(Methods.resolveConflict, call)
    let deed =
      arguments[restore]
      ? "is put back; what stood is kept in 'sync conflicts'" : "keeps what stands"
    return Report("\(name(chosen)) \(deed).") { write(chosen, to: &$0) }
  }

  // MARK: Words

  static let head = Command(
    "head",
    abstract: "Show words to compare with those of another device.",
    discussion: """
      Two devices at the same entry show the same words, or the hub shows them two histories. Ask it first on both,
      with 'authctl sync now'.
      """,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let status = try context.call(Methods.syncStatus, SyncVerbs.deviceCall(try context.device()))
    let circle = ["circle", "entry \(status.head)", status.words.joined(separator: " ")]
    let zones = status.zones.map { zone in
      [zone.name, "entry \(zone.head)", zone.words.joined(separator: " ")]
    }
    return Report("", answer: Columns.table([circle] + zones)) { SyncText.write(status, to: &$0) }
  }

  // MARK: Items

  static func listCall(_ device: DeviceChoice, after count: Int) -> SyncMessages.ListCall {
    var call = SyncMessages.ListCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.after = Int64(count)
    return call
  }

  /// Where and when it was written.
  private static func origin(_ conflict: SyncMessages.Conflict) -> String {
    let time =
      conflict.modifiedAt == 0 ? "before it joined" : Timestamp.text(conflict.modifiedAt)
    return "\(conflict.peerName ?? "a device"), \(time)"
  }

  /// The name of what was overruled.
  private static func name(_ conflict: SyncMessages.Conflict) -> String {
    guard let group = conflict.store else { return name(conflict.item) }
    if let key = conflict.key { return "'\(key)' of the key-value store '\(group)'" }
    return "'\(conflict.row ?? "")' of the table '\(conflict.table ?? "")' of '\(group)'"
  }

  /// The name of an item, as a prompt shows it.
  static func name(_ item: AuthenticationMessages.NamedItem?) -> String {
    guard let item else { return "unlock the device to see it" }
    let itemClass = ItemClass(rawValue: item.itemClass) ?? .genericPassword
    return ItemName(itemClass, label: item.label, service: item.service, account: item.account).text
  }

  private static func write(
    _ conflict: SyncMessages.Conflict,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("id", conflict.id)
    writer.key("item")
    if let item = conflict.item { write(item, to: &writer) } else { writer.null() }
    writer.member("store", conflict.store)
    writer.member("key", conflict.key)
    writer.member("table", conflict.table)
    writer.member("row", conflict.row)
    writer.member("peerName", conflict.peerName)
    writer.member("modifiedAt", conflict.modifiedAt)
    writer.member("since", conflict.since)
    writer.member("isDeleted", conflict.isDeleted)
  }

  static func write(
    _ item: AuthenticationMessages.NamedItem,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.beginObject()
    writer.member("class", item.itemClass)
    writer.member("label", item.label)
    writer.member("service", item.service)
    writer.member("account", item.account)
    writer.endObject()
  }
}
