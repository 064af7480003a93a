import LocalAuthCore
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Devices that write and delete rows in any order, over a network that is bad, with a witness that no machine reads, and a
/// program on each that asks what changed since.
@Suite struct TableLivesTests {
  private struct Life {
    typealias Row = [ExactText: CellValue]

    /// One row is never deleted, so that nothing of it may come back.
    static let (lasting, others) = ("lasting", ["a", "b"])
    static let columns: [ExactText] = ["x", "y"]
    let circle: SyncCircle
    var random: SeededGenerator
    var followers: [TableFollower]
    /// What was written, and what somebody replaced or deleted who saw it.
    var written: [String: Set<CellValue>] = [:]
    var gone: [String: Set<CellValue>] = [:]
    var count: Int64 = 0
    var trace: [String] = []

    init(_ seed: UInt64, in place: ScratchDirectory) throws {
      circle = try SyncCircle("one", "two", "three", in: place)
      random = SeededGenerator(seed: seed)
      followers = circle.devices.map { _ in TableFollower() }
    }

    mutating func happen() throws {
      let number = Int.random(in: 0..<circle.devices.count, using: &random)
      let device = circle.devices[number]
      let name = ([Self.lasting] + Self.others).randomElement(using: &random) ?? Self.lasting
      let event = Int.random(in: 0..<12, using: &random)
      trace.append("\(number) \(event) \(name)")
      device.clock.pass(.seconds(Int.random(in: 1...20, using: &random)))
      // What a person saw is what there is when the person acts.
      try device.settle(circle.hub)
      switch event {
      case 0...2: try write(name, device)
      case 3: try delete(name, device)
      case 4: try followers[number].ask { try device.page(after: $0) }
      case 5...7: _ = try? device.synchronize()
      case 8: try synchronizeBadly(device)
      case 9: try device.restart()
      case 10:
        try device.restart(isUnlocked: false)
        try device.unlock()
      default:
        try device.lock()
        try write(name, device)
        try device.unlock()
      }
    }

    private func text(_ row: Row?) -> String {
      guard let row else { return "nothing" }
      return row.sorted { $0.key < $1.key }.map { "\($0.key.text)=\($0.value)" }.joined(
        separator: " "
      )
    }

    private mutating func synchronizeBadly(_ device: SyncDevice) throws {
      let odds = Int.random(in: 2...6, using: &random)
      var random = random
      circle.hub.passage = { _, _ in
        Int.random(in: 0..<odds, using: &random) > 0
          ? .arrives
          : [.isLost, .losesReply, .arrivesTwice].randomElement(using: &random) ?? .isLost
      }
      _ = try? device.synchronize()
      circle.hub.passage = nil
    }

    private mutating func write(_ name: String, _ device: SyncDevice) throws {
      var values: Row = [:]
      for column in Self.columns where values.isEmpty || Bool.random(using: &random) {
        count += 1
        values[column] = .integer(count)
      }
      let seen = try device.row(name)
      trace.append("  writes \(text(values)) over \(text(seen))")
      for column in values.keys {
        if let old = seen?[column] { gone[name, default: []].insert(old) }
      }
      try device.write(row: name, values)
      written[name, default: []].formUnion(values.values)
    }

    private mutating func delete(_ name: String, _ device: SyncDevice) throws {
      guard name != Self.lasting, let seen = try device.row(name) else { return }
      trace.append("  deletes \(text(seen))")
      gone[name, default: []].formUnion(seen.values)
      try device.delete(row: name)
    }

    mutating func judge() throws -> String? {
      for _ in 0..<4 { try circle.exchange() }
      let all = try circle.devices.map { try $0.rows() }
      guard Set(all).count == 1, let left = all.first else { return "devices differ: \(all)" }
      for (number, device) in circle.devices.enumerated() {
        guard device.isQuiet(with: circle.hub) else { return "\(number) is not quiet" }
        try followers[number].ask { try device.page(after: $0) }
        let known = followers[number].rows
        guard known == left else { return "who follows \(number) knows \(known)" }
      }
      let subjects = try circle.devices.flatMap { try $0.conflicts().map(\.subject) }
      for (name, values) in written {
        let lost = values.subtracting(gone[name] ?? []).subtracting(
          left[name]?.values.map { $0 } ?? []
        )
        let isKept = subjects.contains { subject in
          if case .row(let key) = subject { key.row.text == name } else { false }
        }
        guard lost.isEmpty || isKept else { return "\(name) lost \(lost)" }
      }
      let back = (left[Self.lasting] ?? [:]).values.filter {
        gone[Self.lasting]?.contains($0) ?? false
      }
      return back.isEmpty ? nil : "\(back) came back"
    }
  }

  @Test func whateverHappensAllAreEqualNothingIsLostAndWhoFollowsKnowsAll() throws {
    var random = SeededGenerator.ofThisRun
    let lives =
      SyncLivesTests.setting("SEED") == nil ? SyncLivesTests.setting("SYNC_SEEDS") ?? 12 : 1
    for _ in 0..<lives {
      let seed = lives == 1 ? random.seed : random.next()
      let place = ScratchDirectory()
      do {
        var life = try Life(seed, in: place)
        do {
          for _ in 0..<40 { try life.happen() }
          let complaint = try life.judge()
          #expect(complaint == nil, "SEED=\(seed)\n\(life.trace.joined(separator: ", "))")
        } catch { Issue.record("\(error)\nSEED=\(seed)\n\(life.trace.joined(separator: ", "))") }
      }
    }
  }
}
