import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthTerminal
import LocalAuthWire

/// How the synchronization of a device stands, for people and for programs.
enum SyncText {
  /// How long a round with a hub may take.
  static let patience = Duration.seconds(120)

  /// Lets a second pass before a person's other device is asked for again.
  static func pause() { _ = poll(nil, 0, 1000) }

  /// The peer that is called `name`, or whose id begins so.
  static func peer(
    named name: String,
    in status: SyncMessages.StatusReply
  ) throws(Failure) -> SyncMessages.Peer {
    let named = status.peers.filter { $0.name == name }
    let found = named.isEmpty ? status.peers.filter { $0.id.hasPrefix(name.lowercased()) } : named
    guard let peer = found.first, !name.isEmpty else {
      throw Failure(.itemNotFound, "The circle has no device '\(name)'; 'sync status' shows them.")
    }
    guard found.count == 1 else {
      throw Failure(.usage, "\(found.count) devices are meant by '\(name)': give the id of one.")
    }
    return peer
  }

  static func others(_ status: SyncMessages.StatusReply) -> String {
    let names = status.peers.filter { !$0.isThisDevice }.map(\.name)
    return names.isEmpty ? "no other device" : names.joined(separator: ", ")
  }

  // MARK: For people

  static func report(_ status: SyncMessages.StatusReply) -> Report {
    var lines = Columns.lines([
      ("circle", stage(status)), ("hub", hub(status)),
    ])
    if let line = invitation(status) { lines.append(line) }
    lines += [""] + table(status.peers.map { row($0) })
    if !status.zones.isEmpty { lines += [""] + table(status.zones.map { row($0) }) }
    let told =
      alarms(status) + claims(status) + keyless(status) + SyncProgressText.sentences(status)
    for line in told + unopened(status) + contested(status) { lines += ["", line] }
    return Report(stage(status), answer: lines) { write(status, to: &$0) }
  }

  private static func invitation(_ status: SyncMessages.StatusReply) -> String? {
    guard let asking = status.answering else {
      return status.isInviting
        ? "An invitation is open: 'sync approve' lets the device in that answers it." : nil
    }
    let words = asking.words.joined(separator: " ")
    return "\(asking.name) answered the invitation: 'sync approve' lets it in. Its words: \(words)"
  }

  /// Rows that end with words; on a terminal that is too narrow the words have a line of their own.
  private static func table(_ rows: [[String]]) -> [String] {
    let lines = Columns.table(rows)
    let width = lines.map { TerminalText.width(of: $0) }.max() ?? 0
    guard let columns = Columns.shownColumns, width > columns else { return lines }
    let words = rows.map { "  " + ($0.last ?? "") }
    return zip(Columns.table(rows.map { $0.dropLast() }), words).flatMap { [$0, $1] }
  }

  private static func stage(_ status: SyncMessages.StatusReply) -> String {
    switch status.stage {
    case "founding": "is being founded"
    case "joining" where status.failureCode == "denied":
      "the invitation is over: join with a new code"
    case "joining" where status.failureCode == "codeWasUsed":
      "the code let another device in: join with a new code"
    case "joining" where status.circleAlarm != nil: "this device is not in it: 'sync leave'"
    case "joining": "the other device has not let this one in yet"
    case "member": status.circle
    case "removed": "another device removed this one: 'sync leave', and join again"
    default: "what was kept of it was changed or put back: 'sync leave', and join again"
    }
  }

  /// Why the device asks its hub no more; nil if it does.
  static func end(_ status: SyncMessages.StatusReply) -> String? {
    switch status.stage {
    case "removed": "Another device removed this one."
    case "stateWasChanged": "What was kept of the circle was changed or put back."
    default: nil
    }
  }

  /// What keeps a device from being synchronized, for who did not ask; nil if nothing does.
  static func doubt(_ status: SyncMessages.StatusReply) -> String? {
    let isDoubted = status.circleAlarm != nil || status.zones.contains { $0.alarm != nil }
    let unkept =
      status.failureCode == "notStored" ? status.failure.map { sentence(ofHub: $0) } : nil
    let what =
      end(status) ?? denial(status)
      ?? (isDoubted ? "The hub of its circle is not believed." : unkept)
    return what.map { "\($0) 'authctl sync status' says more." }
  }

  private static func denial(_ status: SyncMessages.StatusReply) -> String? {
    guard status.stage == "member", status.failureCode == "denied" else { return nil }
    return "The hub of its circle does not let it in, as after a removal."
  }

  private static func hub(_ status: SyncMessages.StatusReply) -> String {
    let place =
      "\(status.hub.host), port \(status.hub.port ?? 5432), database \(status.hub.database)"
    if let failure = status.failure { return "\(place): \(failure)" }
    return place + (status.heardAt.map { ", heard \(Timestamp.text($0))" } ?? ", not heard yet")
  }

  /// Why the hub did not do what was asked, as a sentence of its own.
  static func sentence(ofHub failure: String) -> String {
    if failure.hasPrefix("this ") { return "This \(failure.dropFirst(5))." }
    if failure.hasPrefix("it ") { return "The hub \(failure.dropFirst(3))." }
    if failure.hasPrefix("its ") { return "The hub's \(failure.dropFirst(4))." }
    return "The hub: \(failure)."
  }

  private static func row(_ peer: SyncMessages.Peer) -> [String] {
    let heard = peer.heardAt.map { "heard \(Timestamp.text($0))" } ?? "not heard yet"
    return [
      String(peer.id.prefix(8)), peer.name,
      peer.isThisDevice ? "this device" : peer.kind == "recovery" ? "on paper" : heard,
      peer.words.joined(separator: " "),
    ]
  }

  /// What the records of a zone are.
  private static let kinds = [
    "items": ("item", "items"), "key-values": ("value", "values"), "tables": ("row", "rows"),
    "documents": ("document or piece", "documents and pieces"),
  ]

  /// How many records of its kind a zone shows.
  static func count(of zone: SyncMessages.Zone) -> String {
    let (one, many) = kinds[zone.name] ?? ("record", "records")
    return CountText.of(zone.records, one, many)
  }

  private static func row(_ zone: SyncMessages.Zone) -> [String] {
    var state = [count(of: zone)]
    if zone.outgoing > 0 { state.append("\(zone.outgoing) to send") }
    // What has not come is told apart.
    let coming = (zone.progress?.allRecords ?? 0) - (zone.progress?.records ?? 0)
    if zone.incoming > coming { state.append("\(zone.incoming - coming) not opened yet") }
    if zone.conflicts > 0 { state.append(CountText.of(zone.conflicts, "conflict")) }
    return [
      zone.name, state.joined(separator: ", "), "entry \(zone.head)",
      zone.words.joined(separator: " "),
    ]
  }

  private static func alarms(_ status: SyncMessages.StatusReply) -> [String] {
    let zones = status.zones.compactMap { zone in zone.alarm.map { "\(zone.name): \($0)." } }
    if let circle = status.circleAlarm {
      let way =
        "Ask the hub's administrator to put the newer copy back: once the hub shows again what was verified here, it goes on by"
        + " itself. Only if there is none, each device is to leave; one founds another circle, and the others join that."
      return ["The circle: \(circle). \(way)"] + zones
    }
    let way =
      "If the hub's administrator can say why, 'authctl sync repair' sends what is here again."
    return zones.isEmpty ? [] : zones + [way]
  }

  /// What others have and the hub does not show: it withholds that, or they are wrong.
  ///
  /// What comes is no doubt.
  private static func claims(_ status: SyncMessages.StatusReply) -> [String] {
    status.zones.compactMap { zone in
      guard let claimed = zone.claimed, zone.progress == nil else { return nil }
      let who = names(zone.claimedBy, in: status) ?? "this device"
      return "\(zone.name): the hub has not shown entry \(claimed), which \(who) saw."
    }
  }

  /// Zones whose keys the hub does not show: without a word that looks like a lock.
  private static func keyless(_ status: SyncMessages.StatusReply) -> [String] {
    status.zones.filter { $0.lacksKeys == true }.map { zone in
      "\(zone.name): its newest keys have not come from the hub, so what is sealed with them is not opened here, and nothing is sent."
        + " 'authctl sync roll' on another device sends them anew."
    }
  }

  /// Records that this device cannot open, whatever comes.
  private static func unopened(_ status: SyncMessages.StatusReply) -> [String] {
    status.zones.flatMap { zone in
      let unreadable = zone.unreadable.map { count in
        let who = names(zone.unreadableBy, in: status) ?? "a device"
        return "\(zone.name): nobody can read \(CountText.of(count, "record")) that \(who) wrote."
          + " What is here of it stays, and is sent when it is changed or the device is removed."
      }
      let newer = zone.newer.map { count in
        let who = names(zone.newerBy, in: status) ?? "a device"
        return "\(zone.name): a newer LocalAuth of \(who) wrote \(CountText.of(count, "record"))."
          + " Nothing of this zone is sent until LocalAuth here is as new."
      }
      let lost = zone.lost.map { count in
        let who = names(zone.lostBy, in: status) ?? "a device"
        return
          "\(zone.name): the hub lost \(CountText.of(count, "record")) that \(who) wrote, and nothing of it is here."
          + " A device that has it sends it anew by 'sync repair', or by 'sync roll' if it has nothing to repair."
      }
      return [unreadable, newer, lost].compactMap(\.self)
    }
  }

  /// Where to look at documents that several devices wrote at once: they are no matter of ``SyncDecisionVerbs``.
  private static func contested(_ status: SyncMessages.StatusReply) -> [String] {
    status.zones.filter { $0.name == "documents" && $0.conflicts > 0 }.map { zone in
      "\(zone.name): 'doc list' marks what several devices wrote at once, and 'doc versions' shows it."
    }
  }

  private static func names(_ ids: [String]?, in status: SyncMessages.StatusReply) -> String? {
    let names = (ids ?? []).map { id in
      status.peers.first { $0.id == id }?.name ?? "a removed device"
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  // MARK: For programs

  static func write(
    _ status: SyncMessages.StatusReply,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("stage", status.stage)
    writer.member("circle", status.circle)
    writer.member("head", status.head)
    writer.member("words", status.words)
    writer.member("hub", status.hub.host)
    writer.member("port", status.hub.port ?? 5432)
    writer.member("database", status.hub.database)
    writer.member("peers", status.peers) { peer, writer in
      writer.member("id", peer.id)
      writer.member("name", peer.name)
      writer.member("words", peer.words)
      writer.member("kind", peer.kind)
      writer.member("isThisDevice", peer.isThisDevice)
      writer.member("heardAt", peer.heardAt)
    }
    writer.member("zones", status.zones) { zone, writer in
      writer.member("name", zone.name)
      writer.member("records", zone.records)
      writer.member("outgoing", zone.outgoing)
      writer.member("incoming", zone.incoming)
      writer.member("conflicts", zone.conflicts)
      writer.member("alarm", zone.alarm)
      writer.member("needsRepair", zone.needsRepair ?? false)
      writer.member("head", zone.head)
      writer.member("words", zone.words)
      writer.member("claimed", zone.claimed)
      writer.member("claimedBy", zone.claimedBy ?? [])
      writer.member("lacksKeys", zone.lacksKeys ?? false)
      writer.key("progress")
      if let progress = zone.progress { write(progress, to: &writer) } else { writer.null() }
      writer.member("unreadable", zone.unreadable ?? 0)
      writer.member("unreadableBy", zone.unreadableBy ?? [])
      writer.member("newer", zone.newer ?? 0)
      writer.member("newerBy", zone.newerBy ?? [])
      writer.member("lost", zone.lost ?? 0)
      writer.member("lostBy", zone.lostBy ?? [])
    }
    writer.member("circleAlarm", status.circleAlarm)
    writer.member("heardAt", status.heardAt)
    writer.member("failure", status.failure)
    writer.member("failureCode", status.failureCode)
    writer.member("isInviting", status.isInviting)
    writer.key("answering")
    if let asking = status.answering {
      writer.beginObject()
      writer.member("name", asking.name)
      writer.member("words", asking.words)
      writer.endObject()
    } else {
      writer.null()
    }
  }

  private static func write(
    _ progress: SyncMessages.Progress,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.beginObject()
    writer.member("entries", progress.entries)
    writer.member("allEntries", progress.allEntries)
    writer.member("isHubsWord", progress.isHubsWord)
    writer.member("records", progress.records)
    writer.member("allRecords", progress.allRecords)
    writer.member("bytes", progress.bytes)
    writer.member("allBytes", progress.allBytes)
    writer.endObject()
  }
}
