import Glibc
import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// A person's week with one device: a daemon for each sitting, which ends by itself, by a kill or by a power cut.
final class OrdinaryWeek {
  /// How a sitting ends.
  private enum Ending {
    case stopped, rebooted, killed
    case atStep(StepKiller.Mode, Int)
  }

  /// Whoever types wrong so often waits, whatever else happened.
  private static let typosThatWait = 4
  private static let sittingsOfADay = 9
  private static let query: JSONValue = ["class": "genp", "acct": "me", "svce": "week"]
  private static let duplicate = -25299

  private let scratch: Scratch
  private let killer: StepKiller
  private let clock: SetClock
  private var generator: SeededGenerator
  private var book = StrikeBook()

  /// Seconds of the week.
  private var now = 0
  private var boot = 1
  private var bootedAt = 0
  /// Whether the passcode was proven in this boot, as far as the person knows.
  private var isProven = false
  private var isCreated = false
  private var hasItem = false
  /// How often power or process ended in the middle of something, and how often the right finger or passcode got in.
  private(set) var powerCuts = 0
  private(set) var kills = 0
  private(set) var successes = 0

  private var context: Comment { "SEED=\(Settings.seed), second \(now) of the week" }

  init(in scratch: Scratch, _ generator: SeededGenerator) throws {
    self.scratch = scratch
    self.generator = generator
    killer = try StepKiller(in: scratch)
    clock = try SetClock(in: scratch)
  }

  private func draw(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

  /// Seven days, of which each has its sittings between seven and eleven.
  func pass() throws {
    for day in 0..<7 {
      now = max(now, day * 86_400 + 7 * 3600)
      for _ in 0..<Self.sittingsOfADay {
        now += 600 + draw(6000)
        try sit()
      }
    }
    now += 60
    try sit(.stopped)
  }

  // MARK: Sittings

  private func ending() -> Ending {
    switch draw(10) {
    case 0...2: .stopped
    case 3: .rebooted
    case 4: .killed
    default: .atStep(StepKiller.Mode.allCases[draw(4)], 1 + draw(70))
    }
  }

  private func sit() throws { try sit(ending()) }

  private func sit(_ ending: Ending) throws {
    do {
      let daemon = try DaemonProcess(home: scratch.file("home"), try options(ending))
      do {
        try use(daemon)
        try end(daemon, ending)
      } catch is WireClient.Failure {
        died(try daemon.program.waitForExit(), ending)
      }
      #expect(!daemon.log.contains("wrong passcodes are counted"), context)
    } catch let error as DaemonProcess.NotStarted {
      died(error.exit, ending)
      #expect(!error.errors.contains("wrong passcodes are counted"), context)
    }
  }

  private func options(_ ending: Ending) throws -> DaemonProcess.Options {
    let time = try clock.environment(
      boot: boot,
      seconds: 60 + now - bootedAt,
      wall: 1_800_000_000 + now
    )
    var (mode, step) = (StepKiller.Mode.killed, 0)
    if case .atStep(let chosen, let number) = ending { (mode, step) = (chosen, number) }
    let killed = killer.environment(mode, killedAt: step, with: [clock.library])
    return DaemonProcess.Options(environment: time + killed)
  }

  private func end(_ daemon: DaemonProcess, _ ending: Ending) throws {
    switch ending {
    case .killed: try daemon.crash()
    case .stopped: try daemon.stop()
    case .rebooted:
      try daemon.stop()
      reboot()
    case .atStep:
      let exit = try daemon.stop()
      if exit != .status(0) { died(exit, ending) }
    }
  }

  private func died(_ exit: ChildProcess.Exit, _ ending: Ending) {
    guard exit == .signal(SIGKILL), case .atStep(let mode, _) = ending else {
      Issue.record("\(context): the daemon ended by itself: \(exit)")
      return
    }
    switch mode {
    case .killed, .torn: kills += 1
    case .powerCut, .scattered:
      powerCuts += 1
      reboot()
    }
  }

  private func reboot() {
    now += 120
    bootedAt = now
    boot += 1
    isProven = false
  }

  // MARK: What a person does

  private func use(_ daemon: DaemonProcess) throws {
    let client = try daemon.connect()
    try arrive(client)
    for _ in 0...draw(5) {
      switch draw(10) {
      case 0...4: try touch(client)
      case 5: try mistouch(client)
      case 6, 7: try type(client)
      case 8: try read(client)
      default: try client.administer("Lock", "sim")
      }
    }
  }

  /// Holds what the daemon counts against what the person knows.
  private func arrive(_ client: WireClient) throws {
    guard try client.has("sim") else {
      #expect(!isCreated, "\(context): the device is gone")
      try client.create("sim", passcode: "1234")
      (isCreated, isProven) = (true, true)
      return
    }
    isCreated = true
    let state = try client.status("sim")
    let misses = StrikeBook.locksAt - (state.attemptsLeft ?? 0)
    let wrong = StrikeBook.passcodeLocksAt - (state.passcodeAttemptsLeft ?? 0)
    #expect(book.possibleMisses.contains(misses), "\(context): \(misses) misses")
    #expect(book.possibleWrongPasscodes.contains(wrong), "\(context): \(wrong) wrong passcodes")
    book.found(misses: misses, wrongPasscodes: wrong)
    try expectFinger(state)
    let doubts = try client.audit("sim", limit: 10_000)
      .count { $0["action"]?.string == "state distrusted" }
    #expect(doubts == 0, "\(context): the daemon doubted the state")
  }

  /// A finger counts where the passcode was proven in this boot and too few misses are counted to lock it.
  private func expectFinger(_ state: DeviceState) throws {
    guard isProven, book.misses < StrikeBook.locksAt else { return }
    #expect(state.biometry == "usable", "\(context): the finger is \(state.biometry)")
  }

  /// The right finger, sometimes after one that is not recognized; the passcode where no finger counts.
  private func touch(_ client: WireClient) throws {
    let state = try client.status("sim")
    try expectFinger(state)
    guard state.biometry == "usable" else { return try type(client) }
    let script = draw(5) == 0 && book.misses < StrikeBook.locksAt - 1 ? "miss,match" : "match"
    try perform(.evaluation("biometrics", on: "sim", script), client)
  }

  /// A wet finger, and the person gives up.
  private func mistouch(_ client: WireClient) throws {
    guard try client.status("sim").biometry == "usable" else { return try type(client) }
    let script = draw(4) == 0 ? "miss,miss,miss" : "miss,cancel"
    try client.perform(.evaluation("biometrics", on: "sim", script), noting: &book)
  }

  /// The right passcode, sometimes after a typo.
  private func type(_ client: WireClient) throws {
    let state = try client.status("sim")
    guard state.passcodeState == "usable" else {
      #expect(
        state.passcodeState == "passcodeThrottled" && book.wrongPasscodes >= Self.typosThatWait,
        "\(context): the passcode is \(state.passcodeState)"
      )
      return
    }
    let isTypo = draw(4) == 0 && book.wrongPasscodes < Self.typosThatWait - 1
    try perform(
      .evaluation("passcode", on: "sim", isTypo ? "passcode:1243,passcode:1234" : "passcode:1234"),
      client
    )
    isProven = true
  }

  /// What the right finger and the right passcode have to end with.
  private func perform(_ call: StrikeBook.Call, _ client: WireClient) throws {
    book.forgetAnswers()
    try client.perform(call, noting: &book)
    let outcome = book.answers.last?.outcome
    #expect(outcome == "success", "\(context): \(outcome ?? "nothing") for \(call.parameters)")
    successes += 1
  }

  /// An item of the keychain, made when there is none, of a device that was opened before.
  private func read(_ client: WireClient) throws {
    guard try client.status("sim").passcodeState == "usable" else { return }
    try client.perform(.unlock("sim", "1234"), noting: &book)
    #expect(book.wrongPasscodes == 0, "\(context): the right passcode opens nothing")
    let common: JSONValue = ["device": "sim", "allowSimulated": true]
    let keychain = "io.localauth.Keychain."
    if !hasItem {
      let new = common.setting(["query": Self.query, "data": "aHVudGVyMg=="])
      let status = try client.call(keychain + "Add", new).get()["answer"]?["status"]?.integer
      // A kill may come between the adding and the answer.
      #expect(status == 0 || status == Self.duplicate, "\(context): \(status ?? 1)")
      hasItem = true
    }
    let wanted = Self.query.setting(["r_Data": true])
    let reply = try client.call(keychain + "Copy", common.setting(["query": wanted])).get()
    let data = reply["answer"]?["items"]?.elements.first?["data"]?.string
    #expect(data == "aHVudGVyMg==", "\(context): an item of the keychain is \(reply)")
    successes += 1
  }
}

extension StrikeBook.Call {
  /// The opening of a device.
  fileprivate static func unlock(_ device: String, _ passcode: String) -> Self {
    Self(
      method: Interface.devices + "Unlock",
      parameters: ["device": .text(device), "passcode": .text(passcode)],
      passcodes: 1,
      clearsTouches: true,
      clearsPasscodes: true
    )
  }
}
