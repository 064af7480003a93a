import Glibc
import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

/// `kill -9` at random moments while items, passcodes and devices change; `KILLS=1000` makes it a
/// thousand.
@Suite struct ItemKillTests {
  /// A device, its one client and what that client knows.
  private struct Desk: Sendable {
    var name: String
    /// Whether its passcode changes too, which takes some tenths of a second.
    var changesPasscode: Bool
    var generator: SeededGenerator
    var book = ItemBook()
    var version = 0
  }

  @Test func noKillTearsAnItemOrAKeybag() throws {
    try KillRun(
      name: "item kills",
      kills: Settings.kills(usually: 40),
      makeDesks: makeDesks,
      check: { desk, client, context in
        try ItemCheck.check(desk.name, &desk.book, with: client, context)
      },
      work: work
    ).run()
  }

  private func makeDesks(
    _ client: WireClient,
    _ generator: inout SeededGenerator
  ) throws -> [Desk] {
    let desks = (0..<4).map { index in
      Desk(
        name: "desk-\(index)",
        changesPasscode: index < 2,
        generator: SeededGenerator(seed: generator.next())
      )
    }
    for desk in desks { try client.create(desk.name) }
    return desks
  }

  /// Lets every desk work until the daemon is killed after `target` replies, each in its next change.
  private func work(
    _ desks: [Desk],
    _ daemon: DaemonProcess,
    _ target: Int,
    _ generator: inout SeededGenerator
  ) throws -> [Desk] {
    let replies = Atomic(0)
    let spins = generator.next() % (generator.next() % 2 == 0 ? 3_000 : 150_000)
    return try concurrently(desks.count) { index in
      var desk = desks[index]
      let client = try daemon.connect()
      do {
        while true {
          let change = Self.nextChange(&desk)
          desk.book.began(change)
          try client.send(change, on: desk.name, knowing: desk.book.state)
          if replies.load(ordering: .relaxed) >= target {
            for _ in 0..<spins { sched_yield() }
            daemon.program.signal(SIGKILL)
          }
          let outcome = try client.receiveOutcome()
          let isRight = desk.book.ended(with: outcome)
          #expect(isRight, "\(change) in \(desk.name): \(outcome)")
          replies.add(1, ordering: .relaxed)
        }
      } catch WireClient.Failure.closed {
        return desk
      }
    }
  }

  private static func nextChange(_ desk: inout Desk) -> ItemBook.Change {
    desk.version += 1
    let version = desk.version
    let state = desk.book.state
    let number = desk.generator.next() % 100
    if desk.changesPasscode {
      switch number {
      case 0..<8: return .setPasscode("passcode \(version)")
      case 8..<12 where state.passcode != nil: return .removePasscode
      case 12..<15 where state.passcode != nil && desk.book.wrongPasscodes == 0:
        return .unlock("wrong")
      case 15..<18: if let passcode = state.passcode { return .unlock(passcode) }
      default: break
      }
    }
    if number == 99 { return .erase }
    let accounts = state.passcode == nil ? ItemBook.needsPasscode : ItemBook.accounts.count
    let account = Int(desk.generator.next() % UInt64(accounts))
    switch number {
    case 18..<30: return .delete(account)
    case 30..<40: return .updateAll(version: version)
    default:
      return state.items[account] == nil
        ? .add(account, version: version) : .update(account, version: version)
    }
  }
}

/// Holds what is durable of a device's keychain against what its client was told.
enum ItemCheck {
  /// Checks a device of a daemon that was started again, and unlocks it.
  static func check(
    _ device: String,
    _ book: inout ItemBook,
    with client: WireClient,
    _ context: Comment
  ) throws {
    let status = try client.call(Interface.devices + "Status", ["device": .text(device)]).get()
    #expect(!(try client.status(device).isDistrusted), "\(context): \(device) lost its trust")
    let hasPasscode = status["device"]?["passcode"]?.string == "device"
    if hasPasscode {
      let wrong = 10 - (status["device"]?["passcodeAttemptsLeft"]?.integer ?? 10)
      #expect(
        book.possibleWrongPasscodes.contains(wrong),
        "\(context): \(device) has \(wrong) wrong passcodes, not \(book.possibleWrongPasscodes)"
      )
    }
    let passcode = hasPasscode ? try open(device, book, with: client, context) : nil
    let versions = try client.itemVersions(on: device)
    #expect(!versions.values.contains(nil), "\(context): torn items of \(device): \(versions)")
    let found = ItemBook.State(items: versions.compactMapValues { $0 }, passcode: passcode)
    #expect(
      book.possible.contains(found),
      "\(context): \(device) holds \(found); possible: \(book.possible)"
    )
    book.found(found)
  }

  /// The one possible passcode that opens the keybag.
  private static func open(
    _ device: String,
    _ book: ItemBook,
    with client: WireClient,
    _ context: Comment
  ) throws -> String? {
    let candidates = Set(book.possible.compactMap(\.passcode)).sorted()
    let fitting = try candidates.filter { try client.unlock(device, $0) }
    #expect(fitting.count == 1, "\(context): \(device) is opened by \(fitting) of \(candidates)")
    guard let passcode = fitting.first else { return nil }
    // A wrong one that was tried after it is counted: the right one clears that.
    #expect(try client.unlock(device, passcode), context)
    return passcode
  }
}

extension WireClient {
  /// Whether a passcode opens the keybag of a device.
  func unlock(_ device: String, _ passcode: String) throws -> Bool {
    let parameters: JSONValue = ["device": .text(device), "passcode": .text(passcode)]
    return try call(Interface.devices + "Unlock", parameters).error == nil
  }
}
