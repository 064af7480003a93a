import Glibc
import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// `kill -9` at every single thing the daemon does to its files, one run a step.
@Suite(
  .enabled(if: Machine.compiler != nil, "needs a C compiler"),
  .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it")
)
struct EveryStepTests {
  private let scratch = Scratch()
  private let killer: StepKiller

  init() throws { killer = try StepKiller(in: scratch) }

  /// From an empty directory: its making, misses, a match, the lock, and a clean end.
  @Test(arguments: StepKiller.Mode.allCases)
  func nothingIsLostAtAnyStepOfLockingAFinger(_ mode: StepKiller.Mode) throws {
    let steps = try killAtEveryStep(mode, from: nil) { client, book in
      if try !client.has("sim") {
        try client.perform(.create("sim"), noting: &book)
      }
      for script in ["miss,cancel", "match", "miss,miss,cancel", "miss"] {
        try client.perform(.evaluation("biometrics", on: "sim", script), noting: &book)
      }
      try client.perform(.evaluation("biometrics", on: "sim", "match"), noting: &book)
    }
    #expect(steps > (mode == .torn ? 10 : 40), "so few steps cannot be all")
  }

  /// From a device whose finger is locked: wrong passcodes, and the right one that opens it.
  @Test(arguments: [StepKiller.Mode.killed, .powerCut])
  func nothingIsLostAtAnyStepOfOpeningALock(_ mode: StepKiller.Mode) throws {
    let model = try lockedHome()
    let steps = try killAtEveryStep(mode, from: model) { client, book in
      for script in ["passcode:0000,cancel", "passcode:1234"] {
        try client.perform(.evaluation("passcode", on: "sim", script), noting: &book)
      }
      try client.perform(.evaluation("biometrics", on: "sim", "match"), noting: &book)
    }
    #expect(steps > (mode == .torn ? 5 : 30), "so few steps cannot be all")
  }

  private func killAtEveryStep(
    _ mode: StepKiller.Mode,
    from model: (home: String, misses: Int)?,
    _ scenario: (WireClient, inout StrikeBook) throws -> Void
  ) throws -> Int {
    var book = StrikeBook()
    book.found(misses: model?.misses ?? 0, wrongPasscodes: 0)
    return try killer.killAtEveryStep(mode, from: model?.home, book, scenario, recover)
  }

  /// The next daemon starts, lost no strike and works.
  private func recover(_ home: String, _ book: StrikeBook, _ context: Comment) throws {
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    var book = book
    guard try client.has("sim") else {
      #expect(
        book.pending?.method == Interface.devices + "Create" || book.isUntouched,
        "\(context): the device is gone"
      )
      try client.create("sim")
      #expect(try client.evaluate(on: "sim", script: "match").outcome == "success", context)
      return
    }
    try StrikeCheck.check("sim", &book, with: client, context)
    let outcome = try client.evaluate(on: "sim", script: "match").outcome
    #expect(
      outcome == (book.misses == StrikeBook.locksAt ? "biometryLockout" : "success"),
      context
    )
    try daemon.stop()
  }

  /// The home of a device that three misses locked, and the misses.
  private func lockedHome() throws -> (home: String, misses: Int) {
    let home = scratch.file("locked")
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    #expect(
      try client.evaluate(on: "sim", script: "miss,miss,miss").outcome == "biometryLockout"
    )
    try daemon.crash()
    return (home, StrikeBook.locksAt)
  }
}

extension WireClient {
  /// Whether there is a device of that name.
  func has(_ device: String) throws -> Bool {
    let reply = try call(Interface.devices + "Status", ["device": .text(device)])
    return reply.errorName != "DeviceNotFound"
  }
}

extension StrikeBook {
  /// Whether no call was ever answered.
  fileprivate var isUntouched: Bool { misses == 0 && answers.isEmpty && pending == nil }
}

extension StrikeBook.Call {
  /// The making of a device.
  static func create(_ device: String) -> Self {
    Self(
      method: Interface.devices + "Create",
      parameters: ["device": .text(device), "fingers": ["right-index-finger"]]
    )
  }
}
