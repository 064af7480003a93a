import LocalAuthCore
import LocalAuthCrypto
import LocalAuthSync
import LocalAuthUnix

/// A zone of this run's own, and entries of it that nobody verifies.
final class Zone {
  private let worker: Worker
  private let name: ZoneName
  private var place = ChainPlace.beginning
  private let hash = MessageHash()

  init(_ worker: Worker) throws {
    self.worker = worker
    guard let name = ZoneName("bench-\(UInt64.random(in: 0...UInt64.max))") else {
      throw Mistake(what: "no zone")
    }
    self.name = name
  }

  /// Pushes entries with one body of this size each.
  func push(_ count: Int, _ size: Int) throws {
    for index in 0..<count {
      let body = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: size)
      let record = RecordName(hash.digest(of: Array("\(index)".utf8)))
      let entry = ZoneEntry(
        circle: .none,
        zone: name,
        previous: place,
        author: PeerIdentifier(high: 1, low: 2),
        batch: BatchIdentifier(
          high: UInt64.random(in: 0...UInt64.max),
          low: UInt64.random(in: 0...UInt64.max)
        ),
        changes: [ZoneChange(record, hash.digest(of: body), .whenUnlocked)],
        epoch: 1,
        circleHead: .beginning,
        heads: [],
        signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
      )
      place = entry.place(hash)
      guard try worker.ask(.zonePush(entry, [record: body])) == .pushed(.accepted(place)) else {
        throw Mistake(what: "a push was refused")
      }
    }
  }

  /// Pulls everything, and returns how many milliseconds that took.
  func pull(_ count: Int) throws -> Double {
    let begun = SystemClock.bootNow().nanoseconds
    var (entries, after) = (0, UInt64(0))
    while entries < count {
      guard case .zone(let page) = try worker.ask(.zonePull(name, after: after, limit: 1024)),
        let last = page.entries.last
      else { throw Mistake(what: "a pull was refused") }
      // A device digests each body.
      _ = page.answer(hash)
      entries += page.entries.count
      after = last.number
    }
    return Double(SystemClock.bootNow().nanoseconds - begun) / 1_000_000
  }

  /// Pushes and tells so many times, and returns after how many milliseconds `other` hears of it, at the median.
  func news(_ count: Int, to other: Worker) throws -> Double {
    var times: [Double] = []
    for _ in 0..<count {
      let begun = SystemClock.bootNow().nanoseconds
      try push(1, 300)
      _ = try worker.ask(.tell)
      try other.waitForNews()
      times.append(Double(SystemClock.bootNow().nanoseconds - begun) / 1_000_000)
      // Others are told once a second, and what is measured is not that wait.
      while SystemClock.bootNow().nanoseconds - begun < 1_100_000_000 { _ = try worker.ask(.heads) }
    }
    return times.sorted()[count / 2]
  }
}
