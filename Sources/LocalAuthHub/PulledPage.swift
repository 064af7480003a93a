import LocalAuthSync

/// A page of a zone as its rows come: it ends before what is no entry, and before what does not fit a message.
///
/// A hub counts the bytes of entries and bodies. Names of records take room besides, and a member can leave a thousand
/// empty bodies with an entry.
struct PulledPage {
  /// What a message has beside entries and bodies, at most.
  private static let restMax = 4096
  /// What a body takes beside its bytes: its record's name, and its size.
  private static let nameSize = 36

  private var head = ChainPlace.beginning
  private var entries: [(number: Int64, entry: ZoneEntry)] = []
  private var bodies: [RecordName: (number: Int64, body: [UInt8])] = [:]
  /// How much each entry takes with what it brought.
  private var sizes: [Int64: Int] = [:]
  /// The first row that should be an entry and is none.
  private var junk: Int64?

  /// Takes in a row; all entries come before all records.
  mutating func add(_ rows: borrowing HubRows, _ row: Int) throws(HubError) {
    switch try rows.text(row, 0) {
    case "head": head = try rows.place(row, 1, 3)
    case "entry":
      guard junk == nil else { return }
      let (number, bytes) = (try rows.number(row, 1), try rows.bytes(row, 3) ?? [])
      guard let entry = ZoneEntry(bytes) else {
        junk = number
        return
      }
      entries.append((number, entry))
      sizes[number, default: 0] += bytes.count + HubFrame.headerSize
    case "record":
      let (number, body) = (try rows.number(row, 1), try rows.body(row, 3))
      bodies[try rows.name(row, 2)] = (number, body)
      sizes[number, default: 0] += body.count + Self.nameSize
    default: throw .unexpected("a zone has a row of an unknown kind")
    }
  }

  /// The page: its first entries, as many as fit and one at least, with what they brought.
  var page: ZonePage {
    var room = HubFrame.messageMax - Self.restMax
    let fitting = entries.prefix { number, _ in
      room -= sizes[number] ?? 0
      return room >= 0
    }
    let kept = fitting.isEmpty ? entries.prefix(1) : fitting
    let last = kept.last?.number
    let brought = bodies.filter { body in last.map { body.value.number <= $0 } ?? false }
    return ZonePage(
      entries: kept.map(\.entry),
      bodies: brought.mapValues(\.body),
      head: head,
      isCutShort: junk != nil && kept.count == entries.count
    )
  }
}
