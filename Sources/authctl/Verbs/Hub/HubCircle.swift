import LocalAuthCore
import LocalAuthJSON

/// A circle, as the hub's administrator can tell it from others.
struct HubCircle {
  /// Its number at the hub.
  let number: Int64
  /// How its devices name it; nil for one that nobody founded yet.
  let name: String?
  private let devices: Int64
  private let records: Int64
  private let bytes: Int64
  private let room: Int64
  private let made: Int64
  private let used: Int64?

  /// Reads a line of the program's; nil for anything else.
  init?(_ line: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 8, let number = Int64(words[0]), let devices = Int64(words[2]),
      let records = Int64(words[3]), let bytes = Int64(words[4]), let room = Int64(words[5]),
      let made = Int64(words[6])
    else { return nil }
    self.number = number
    name = words[1] == "-" ? nil : words[1]
    self.devices = devices
    self.records = records
    self.bytes = bytes
    self.room = room
    self.made = made
    used = Int64(words[7])
  }

  /// What it holds, and when it was used.
  var sentence: String {
    let last = used.map { "was used last \(Self.time($0))" } ?? "was never used"
    return
      "Circle \(number) has \(CountText.of(devices, "device")), \(CountText.of(records, "record")) and \(ByteText.of(bytes)), and \(last)."
  }

  /// Its row in a table.
  var row: [String] {
    [
      "circle \(number)", name ?? "not founded yet", CountText.of(devices, "device"),
      CountText.of(records, "record"), "\(ByteText.of(bytes)) of \(ByteText.of(room))",
      "made \(Self.time(made))", used.map { "used \(Self.time($0))" } ?? "never used",
    ]
  }

  private static func time(_ seconds: Int64) -> String { Timestamp.text(seconds &* 1000) }

  /// Writes it as a JSON object's members.
  func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("number", number)
    writer.member("name", name)
    writer.member("devices", devices)
    writer.member("records", records)
    writer.member("bytes", bytes)
    writer.member("bytesMax", room)
    writer.member("madeAt", made &* 1000)
    writer.member("usedAt", used.map { $0 &* 1000 })
  }
}
