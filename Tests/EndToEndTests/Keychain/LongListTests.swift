import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

/// A list of ten thousand items, which costs the daemon no memory and nobody else their turn.
@Suite struct LongListTests {
  private static let count = 10_000
  private let scratch = Scratch()

  @Test func theDaemonStaysSmallAndServesOthers() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("sim")
    try fill(daemon)
    let before = daemon.peakKilobytes
    let isListing = Atomic(true)
    let results = try concurrently(2) { index in
      let client = try daemon.connect()
      guard index == 0 else {
        var served = 0
        while isListing.load(ordering: .relaxed) {
          _ = try client.status("sim")
          served += 1
        }
        return served
      }
      defer { isListing.store(false, ordering: .relaxed) }
      let query: JSONValue = [
        "class": "genp", "m_Limit": "m_LimitAll", "r_Data": true, "r_Attributes": true,
      ]
      let items = try client.allItems(on: "sim", query)
      let accounts = Set(items.compactMap { $0["attributes"]?["acct"]?.string })
      #expect(items.allSatisfy { ItemVersion.of($0) == 1 })
      return accounts.count == items.count ? items.count : -1
    }
    #expect(results[0] == Self.count)
    #expect(results[1] > 10, "others were served \(results[1]) times")
    let growth = daemon.peakKilobytes - before
    #expect(growth < 16 * 1024 || Sanitizer.isActive, "\(growth) KiB")
    let all: JSONValue = ["class": "genp", "svce": "long"]
    try expectEveryItemChanges(all, with: client)
    #expect(try client.item("Delete", on: "sim", all).isDone)
    #expect(try client.item("Copy", on: "sim", all).outcome == "itemNotFound")
  }

  /// A change is not cut off as an answer is.
  private func expectEveryItemChanges(_ all: JSONValue, with client: WireClient) throws {
    let change: [String: JSONValue] = [
      "changes": ItemVersion.attributes(2), "data": ItemVersion.data(2),
    ]
    #expect(try client.item("Update", on: "sim", all, change).isDone)
    let wanted: [String: JSONValue] = [
      "m_Limit": "m_LimitAll", "r_Data": true, "r_Attributes": true,
    ]
    let items = try client.allItems(on: "sim", all.setting(wanted))
    #expect(items.count { ItemVersion.of($0) == 2 } == Self.count)
  }

  /// Adds the items, several calls ahead of their answers.
  private func fill(_ daemon: DaemonProcess) throws {
    let client = try daemon.connect()
    let ahead = 100
    for start in stride(from: 0, to: Self.count, by: ahead) {
      for number in start..<(start + ahead) {
        let item = JSONValue.password("long", "\(number)").adding(ItemVersion.attributes(1))
        try client.send(
          Interface.keychain + "Add",
          WireClient.itemCall(on: "sim", item, ["data": ItemVersion.data(1)])
        )
      }
      for _ in 0..<ahead {
        let answer = ItemAnswer(reply: try client.receive())
        guard answer.isDone else { throw Refusal(error: answer.outcome, parameters: [:]) }
      }
    }
  }
}

extension DaemonProcess {
  /// Kilobytes that the daemon ever had in memory at once.
  var peakKilobytes: Int {
    let status = (try? Files.text("/proc/\(processID)/status")) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
