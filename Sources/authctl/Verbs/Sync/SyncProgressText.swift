import LocalAuthCore
import LocalAuthWire

/// How much of what a circle has came to a device, in words.
enum SyncProgressText {
  /// Where to look at what nobody waits for.
  static let byItself =
    "What the circle has comes by itself: 'authctl sync status' says how far that is."

  /// A line for somebody who waits.
  static func line(_ status: SyncMessages.StatusReply) -> String {
    let zones = status.zones.compactMap { zone in
      zone.progress.map { "\(zone.name): \(parts($0).joined(separator: ", "))" }
    }
    if !zones.isEmpty { return zones.joined(separator: "   ") }
    let unsent = status.zones.reduce(0) { $0 + $1.outgoing }
    return unsent > 0 ? "\(unsent) to send" : "asking the hub"
  }

  /// A sentence for each zone that comes.
  static func sentences(_ status: SyncMessages.StatusReply) -> [String] {
    status.zones.compactMap { zone in
      zone.progress.map { "\(zone.name): \(parts($0).joined(separator: ", ")) so far." }
    }
  }

  /// What came of a circle, and what did not.
  static func sentence(_ status: SyncMessages.StatusReply) -> String {
    if status.circleAlarm != nil || status.zones.contains(where: { $0.alarm != nil }) {
      return "The hub is not believed: see 'authctl sync status'."
    }
    let why = status.failure.map { [SyncText.sentence(ofHub: $0)] } ?? []
    let coming = sentences(status)
    guard coming.isEmpty, why.isEmpty else {
      return (why + coming + ["The rest comes by itself."]).joined(separator: " ")
    }
    guard status.zones.allSatisfy({ $0.claimed == nil }) else {
      return "The hub has not shown all that other devices saw: see 'authctl sync status'."
    }
    let counts = status.zones.filter { $0.records > 0 }.map { SyncText.count(of: $0) }
    return counts.isEmpty
      ? "The circle has nothing yet." : "It has \(counts.joined(separator: ", "))."
  }

  /// What of a zone came, and of how much.
  private static func parts(_ progress: SyncMessages.Progress) -> [String] {
    var parts: [String] = []
    if let count = progress.records, let all = progress.allRecords {
      parts.append("\(count) of \(CountText.of(all, "record"))")
    }
    if progress.isHubsWord {
      parts.append(
        "\(CountText.of(progress.entries, "entry", "entries")) of \(progress.allEntries) by the hub's word"
      )
    } else if progress.entries < progress.allEntries || parts.isEmpty {
      parts.append(
        "\(progress.entries) of \(CountText.of(progress.allEntries, "entry", "entries"))"
      )
    }
    if let bytes = progress.bytes, bytes > 0 || progress.allBytes != nil {
      let all = progress.allBytes.map { " of \(ByteText.of($0))" } ?? ""
      parts.append("\(ByteText.of(bytes))\(all)")
    }
    return parts
  }
}
