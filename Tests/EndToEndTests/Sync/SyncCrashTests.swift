import Glibc
import LocalAuthHub
import LocalAuthJSON
import LocalAuthTestSupport
import Testing

/// Daemons and workers that are killed, power cuts and connections that break in the middle of each verb that changes
/// a circle: it is done, or it is done when a person types it once more.
@Suite(
  .enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"),
  .enabled(if: Machine.compiler != nil, "needs a C compiler"),
  .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it")
)
struct SyncCrashTests {
  private let server: PostgreSQLServer
  private let scratch = Scratch()
  private let administrator: SyncHubAdministrator
  private let blows: SyncBlows
  /// The home of a device that is in no circle.
  private let model: String

  /// What is done once without a blow, and then once with each.
  private struct Turn {
    let number: Int
    let context: Comment
    /// Does something with a machine that is struck meanwhile.
    let befall: (SyncedMachine, () throws -> Void) throws -> Void
  }

  init() throws {
    server = try PostgreSQLServer()
    administrator = SyncHubAdministrator(server, scratch)
    try administrator.install()
    blows = try SyncBlows(try HubProxy(before: server), in: scratch)
    let machine = try SyncedMachine("model", in: scratch, server)
    try machine.daemon.stop()
    model = machine.home
  }

  private func atEachBlow(_ body: (Turn) throws -> Void) throws {
    var extent = SyncBlows.Extent()
    try body(Turn(number: 0, context: "untroubled") { extent = try blows.measure($0, $1) })
    for (index, blow) in blows.all(over: extent).enumerated() {
      let context: Comment = "\(blow) SEED=\(Settings.seed)"
      try body(Turn(number: index + 1, context: context) { try blows.strike($0, blow, $1) })
    }
  }

  /// A machine in no circle that reaches the hub.
  private func machine(_ name: String) throws -> SyncedMachine {
    try SyncedMachine(name, in: scratch, hub: server.directory, like: model)
  }

  /// One that can be struck.
  private func struckMachine(_ name: String) throws -> SyncedMachine {
    try SyncedMachine(name, in: scratch, hub: blows.proxy.directory, like: model)
  }

  /// Machines are in one circle, each once, and what each adds the others have.
  private func expectOneCircle(_ machines: [SyncedMachine], _ turn: Turn) throws {
    for machine in machines {
      try machine.add("\(machine.name) \(turn.number)", "of \(machine.name)")
      try machine.synchronizeAtLast()
    }
    for machine in machines + machines { try machine.synchronizeAtLast() }
    for reader in machines {
      for writer in machines {
        let account = "\(writer.name) \(turn.number)"
        #expect(try reader.has(account, "of \(writer.name)"), turn.context)
        let names = try reader.peers.map(\.name)
        #expect(names.count { $0 == writer.name } == 1, "\(names) \(turn.context)")
      }
    }
    let heads = try machines.map { try $0.type(["sync", "head"]) }
    #expect(Set(heads).count == 1, turn.context)
  }

  // MARK: The verbs

  @Test func circleIsFoundedWhateverBefallsItsFounder() throws {
    try atEachBlow { turn in
      let code = try administrator.code()
      let first = try struckMachine("laptop-\(turn.number)")
      try turn.befall(first) {
        guard try first.tryToFound(code).status == 0 else { throw SyncedMachine.CutOff() }
      }
      // Whoever was not told that it is done types it once more.
      try first.found(code)
      let second = try machine("server-\(turn.number)")
      try first.letIn(second)
      try expectOneCircle([first, second], turn)
    }
  }

  /// Its code's password is over at the hub, and it did not hear so.
  @Test func founderThatIsKilledBehindItsNewPasswordIsNotKeptOut() throws {
    let code = try administrator.code()
    let first = try struckMachine("laptop")
    let processID = first.daemon.processID
    blows.proxy.begin(.atWords("verifier_put") { kill(processID, SIGKILL) })
    #expect(try first.tryToFound(code).status != 0)
    try first.crash()
    try first.synchronize()
    try first.found(code)
  }

  @Test func deviceJoinsWhateverBefallsIt() throws {
    let first = try machine("laptop")
    try first.found(try administrator.code())
    try first.add("mail", "hunter2")
    try atEachBlow { turn in
      let phone = try struckMachine("phone-\(turn.number)")
      let code = try first.type(["sync", "invite", "--no-wait"])
      try turn.befall(phone) {
        let words = try phone.attemptToJoin(code)
        while try first.run(["sync", "approve", "--words", "none"]).status == 20 {
          _ = try phone.run(["sync", "now"])
          try phone.attempt(["sync", "status"])
        }
        try first.approve(words)
        try phone.attemptToBeIn()
      }
      let words = try phone.ask(code)
      if try !first.knows(phone) { try first.approve(words) }
      #expect(try phone.isInBeforeLong(), turn.context)
      #expect(try phone.has("mail", "hunter2"), turn.context)
      try expectOneCircle([first, phone], turn)
    }
  }

  @Test func deviceIsLetInWhateverBefallsItsSponsor() throws {
    let first = try struckMachine("laptop")
    try first.found(try administrator.code())
    try first.add("mail", "hunter2")
    try atEachBlow { turn in
      let phone = try machine("phone-\(turn.number)")
      var words = ""
      try turn.befall(first) {
        words = try phone.ask(try first.attempt(["sync", "invite", "--no-wait"]))
        while try first.run(["sync", "approve", "--words", "none"]).status == 20 {}
        try first.attempt(["sync", "approve", "--words", words, "--passcode-stdin"], "1234\n")
        try phone.attemptToBeIn()
      }
      let again = ["sync", "approve", "--words", words, "--passcode-stdin"]
      let said = try first.run(again, "1234\n")
      #expect(said.status == 0 || said.errors.contains("No invitation is open"), turn.context)
      try first.synchronizeAtLast()
      if try !first.knows(phone) { try inviteAgain(phone, first, turn) }
      #expect(try phone.isInBeforeLong(), turn.context)
      #expect(try phone.has("mail", "hunter2"), turn.context)
      try expectOneCircle([first, phone], turn)
    }
  }

  /// The invitation ended with the daemon, as the error says; the device has to leave what it asked for.
  private func inviteAgain(
    _ phone: SyncedMachine,
    _ sponsor: SyncedMachine,
    _ turn: Turn
  ) throws {
    let code = try sponsor.type(["sync", "invite", "--no-wait"])
    let said = try phone.join(code)
    if said.status != 0 {
      #expect(said.errors.contains("it has to leave that first"), "\(said) \(turn.context)")
      try phone.type(["sync", "leave", "--yes", "--passcode-stdin"], "1234\n")
    }
    try sponsor.approve(try phone.ask(code))
  }

  @Test func removedDeviceReadsNothingNewWhateverBefallsWhoRemovesIt() throws {
    let first = try struckMachine("laptop")
    try first.found(try administrator.code())
    try first.add("before", "1")
    let second = try machine("server")
    try first.letIn(second)
    try atEachBlow { turn in
      let phone = try machine("phone-\(turn.number)")
      try first.letIn(phone)
      try phone.synchronizeAtLast()
      let removal = ["sync", "remove", phone.name, "--yes", "--passcode-stdin"]
      try turn.befall(first) {
        try first.attempt(removal, "1234\n")
        try first.attempt(["sync", "now"])
      }
      let said = try first.run(removal, "1234\n")
      #expect(said.status == 0 || said.status == 20, "\(said) \(turn.context)")
      for machine in [first, second] { try machine.synchronizeAtLast() }
      try second.add("after \(turn.number)", "2")
      try expectOneCircle([first, second], turn)
      #expect(try !first.knows(phone), turn.context)
      #expect(try phone.run(["sync", "now"]).status == 77, turn.context)
      #expect(try phone.has("after \(turn.number)", nil) && phone.has("before", "1"), turn.context)
      #expect(try first.has("after \(turn.number)", "2"), turn.context)
      let counts = try server.administrator().text(
        """
        select (select count(*) from localauth.device) || ' devices, '
          || (select count(distinct receiver) from localauth.key_share
                where epoch = (select max(epoch) from localauth.key_share)) || ' receivers'
        """
      )
      #expect(counts == "2 devices, 2 receivers", turn.context)
    }
  }

  @Test func deviceComesBackByThePaperWhateverBefallsIt() throws {
    let first = try machine("laptop")
    try first.found(try administrator.code())
    try first.add("mail", "hunter2")
    let key = try first.type(["sync", "recovery-key", "--passcode-stdin"], "1234\n")
    try first.synchronizeAtLast()
    try atEachBlow { turn in
      let phone = try struckMachine("phone-\(turn.number)")
      try turn.befall(phone) {
        guard try phone.recover(key).status == 0 else { throw SyncedMachine.CutOff() }
        try phone.attempt(["sync", "now"])
      }
      let said = try phone.recover(key)
      #expect(said.status == 0 || said.errors.contains("in a circle already"), turn.context)
      // What a kill undid for this device is in the circle, as another one of its name.
      for peer in try phone.peers where peer.name == phone.name && !peer.isMe {
        try phone.type(["sync", "remove", peer.id, "--yes", "--passcode-stdin"], "1234\n")
      }
      #expect(try phone.has("mail", "hunter2"), turn.context)
      try expectOneCircle([first, phone], turn)
    }
  }
}

extension SyncedMachine {
  /// A command was cut off, or refused.
  struct CutOff: Error {}

  /// What a command says that may be cut off.
  @discardableResult
  fileprivate func attempt(_ words: [String], _ input: String = "") throws -> String {
    let report = try run(words, input)
    guard report.status == 0 else { throw CutOff() }
    return report.output
  }

  /// Its words, once it has asked.
  fileprivate func attemptToJoin(_ code: String) throws -> String {
    let said = try join(code)
    guard said.status == 0 else { throw CutOff() }
    return said.output.filter { $0 != "\n" }
  }

  /// Waits until it is a member and has what is there.
  fileprivate func attemptToBeIn() throws {
    while try !attempt(["sync", "status", "--json"]).contains(#""stage":"member""#) {
      _ = try run(["sync", "now"])
    }
    try attempt(["sync", "now"])
  }

  /// Who is in its circle.
  fileprivate var peers: [(id: String, name: String, isMe: Bool)] {
    get throws {
      let status = try JSONValue(
        parsing: Array(type(["sync", "status", "--json"]).utf8).span
      )
      return (status["peers"]?.elements ?? []).map {
        ($0["id"]?.string ?? "", $0["name"]?.string ?? "", $0["isThisDevice"]?.boolean == true)
      }
    }
  }

  fileprivate func knows(_ other: SyncedMachine) throws -> Bool {
    try peers.contains { $0.name == other.name }
  }
}
