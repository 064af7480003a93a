import LocalAuthCore
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Devices that write, remove and settle documents in any order, over a network that is bad, with a witness that no machine
/// reads.
@Suite struct DocumentLivesTests {
  private struct Life {
    static let names = ["a", "b"]
    let circle: SyncCircle
    var random: SeededGenerator
    /// What was written of each document, and what somebody replaced, removed or settled who saw it.
    var written: [String: Set<String>] = [:]
    var gone: [String: Set<String>] = [:]
    var count = 0
    var trace: [String] = []

    init(_ seed: UInt64, in place: ScratchDirectory) throws {
      circle = try SyncCircle("one", "two", "three", in: place)
      random = SeededGenerator(seed: seed)
    }

    private func versions(_ name: String, _ device: SyncDevice) throws -> [ListedVersion] {
      guard try device.documentNames().contains(name) else { return [] }
      return try device.versions(name)
    }

    private func texts(_ name: String, _ device: SyncDevice) throws -> [String] {
      try versions(name, device).map { try device.text(name, version: $0.version) }
    }

    mutating func happen() throws {
      let number = Int.random(in: 0..<circle.devices.count, using: &random)
      let device = circle.devices[number]
      let name = Self.names.randomElement(using: &random) ?? "a"
      let event = Int.random(in: 0..<11, using: &random)
      trace.append("\(number) \(event) \(name)")
      device.clock.pass(.seconds(Int.random(in: 1...20, using: &random)))
      // What a person saw is what there is when the person acts.
      try device.settle(circle.hub)
      switch event {
      case 0...2: try write(name, device)
      case 3: try remove(name, device)
      case 4: try settle(name, device)
      case 5...7: _ = try? device.synchronize()
      case 8:
        let odds = Int.random(in: 2...6, using: &random)
        var random = random
        circle.hub.passage = { _, _ in
          Int.random(in: 0..<odds, using: &random) > 0
            ? .arrives
            : [.isLost, .losesReply, .arrivesTwice].randomElement(using: &random) ?? .isLost
        }
        _ = try? device.synchronize()
        circle.hub.passage = nil
      case 9: try device.restart()
      default:
        try device.lock()
        try device.unlock()
      }
    }

    private mutating func write(_ name: String, _ device: SyncDevice) throws {
      count += 1
      let text = "\(name) \(count)"
      let current = try texts(name, device).first
      // Long enough for two chunks, of which the first is shared by all.
      let isLong = count.isMultiple(of: 4)
      let bytes = [UInt8](repeating: 7, count: isLong ? DocumentChunk.size : 0) + Array(text.utf8)
      do { try device.put(name, bytes) } catch let error as EngineError where error.code == .busy {
        // Another device's version came while it was written.
        return
      }
      if let current { gone[name, default: []].insert(current) }
      written[name, default: []].insert(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func remove(_ name: String, _ device: SyncDevice) throws {
      let seen = try texts(name, device)
      guard !seen.isEmpty else { return }
      gone[name, default: []].formUnion(seen)
      try device.removeDocument(name)
    }

    private mutating func settle(_ name: String, _ device: SyncDevice) throws {
      guard let other = try versions(name, device).last, !other.isCurrent else { return }
      let text = try device.text(name, version: other.version)
      do { try device.settle(name, [other.version]) } catch { return }
      gone[name, default: []].insert(text)
    }

    mutating func judge() throws -> String? {
      for _ in 0..<4 { try circle.exchange() }
      for name in Self.names {
        let all = try circle.devices.map { Set(try texts(name, $0)) }
        guard Set(all).count == 1, let left = all.first else { return "\(name): \(all)" }
        let currents = try circle.devices.map { try texts(name, $0).first }
        guard Set(currents).count == 1 else { return "\(name): \(currents)" }
        let lost = (written[name] ?? []).subtracting(gone[name] ?? []).subtracting(left)
        guard lost.isEmpty else { return "\(name) lost \(lost.map { $0.suffix(8) })" }
      }
      for device in circle.devices {
        let contested = try device.documents().count { $0.conflicts > 0 }
        let said = try device.documentConflicts()
        guard contested == said else { return "\(contested) contested, and said were \(said)" }
      }
      return nil
    }
  }

  @Test func whateverHappensNothingIsLostAndAllAreEqual() throws {
    var random = SeededGenerator.ofThisRun
    let lives =
      SyncLivesTests.setting("SEED") == nil ? SyncLivesTests.setting("SYNC_SEEDS") ?? 12 : 1
    for _ in 0..<lives {
      let seed = lives == 1 ? random.seed : random.next()
      let place = ScratchDirectory()
      var life = try Life(seed, in: place)
      do {
        for _ in 0..<40 {
          // Where the network failed between two pages, bytes of a version may be still to come.
          do { try life.happen() } catch let error as EngineError where error.code == .busy {}
        }
        let complaint = try life.judge()
        #expect(complaint == nil, "SEED=\(seed)\n\(life.trace.joined(separator: ", "))")
      } catch { Issue.record("\(error)\nSEED=\(seed)\n\(life.trace.joined(separator: ", "))") }
    }
  }
}
