import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// `kill -9` at the things the daemon does to its files while items and the keybag change: at one in
/// eight, or with `KILLS=1000` at every single one.
@Suite(
  .enabled(if: Machine.compiler != nil, "needs a C compiler"),
  .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it")
)
struct ItemStepTests {
  private static let device = "desk"
  private let scratch = Scratch()
  private let killer: StepKiller

  init() throws { killer = try StepKiller(in: scratch) }

  @Test(arguments: StepKiller.Mode.allCases)
  func eachItemIsWhollyOldOrNewAtAnyStep(_ mode: StepKiller.Mode) throws {
    try expectWholeStates(
      mode,
      [
        .add(2, version: 10), .update(0, version: 11), .updateAll(version: 12), .delete(1),
      ]
    )
  }

  @Test(arguments: StepKiller.Mode.allCases)
  func theKeybagOpensWithTheOldPasscodeOrTheNewAtAnyStep(_ mode: StepKiller.Mode) throws {
    try expectWholeStates(
      mode,
      [.setPasscode("first"), .add(3, version: 10), .setPasscode("second"), .removePasscode]
    )
  }

  @Test(arguments: [StepKiller.Mode.killed, .scattered])
  func anErasureIsWholeAtAnyStep(_ mode: StepKiller.Mode) throws {
    try expectWholeStates(mode, [.erase, .add(0, version: 10)])
  }

  /// What releases the key is nothing that is kept: a daemon that dies between match and answer leaves
  /// no proof behind, and one that answered has written down that it did.
  @Test(arguments: [StepKiller.Mode.killed, .scattered])
  func aMatchOpensNothingAfterACrash(_ mode: StepKiller.Mode) throws {
    let (model, _) = try makeModel()
    let steps = try killer.killAtEveryStep(mode, stride: stride, from: model, Guarded()) {
      client,
      guarded in
      guarded.secret = try client.copyGuarded(on: Self.device, script: "match").secret
    } _: { home, guarded, context in
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      #expect(try client.copyGuarded(on: Self.device).outcome == "notInteractive", context)
      if guarded.secret != nil {
        #expect(guarded.secret == Guarded.data, context)
        let uses = try client.audit(Self.device).filter { $0["policy"]?.string == "keychain" }
        #expect(uses.contains { $0["outcome"]?.string == "success" }, "\(context): \(uses)")
      }
      let opened = try client.copyGuarded(on: Self.device, script: "match")
      #expect(opened.secret == Guarded.data, "\(context): \(opened)")
    }
    #expect(steps > 10, "so few steps cannot be all")
  }

  private let stride = Settings.kills(usually: 1) > 1 ? 1 : 8

  private func expectWholeStates(_ mode: StepKiller.Mode, _ changes: [ItemBook.Change]) throws {
    let (model, book) = try makeModel()
    let steps = try killer.killAtEveryStep(mode, stride: stride, from: model, book) {
      client,
      book in
      for change in changes {
        book.began(change)
        try client.send(change, on: Self.device, knowing: book.state)
        let outcome = try client.receiveOutcome()
        let isRight = book.ended(with: outcome)
        #expect(isRight, "\(change): \(outcome)")
      }
    } _: { home, book, context in
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      var book = book
      try ItemCheck.check(Self.device, &book, with: client, context)
      let new = JSONValue.password("new", "me")
      #expect(try client.item("Add", on: Self.device, new).isDone, context)
      #expect(try daemon.stop() == .status(0), context)
    }
    #expect(steps > (mode == .torn ? 10 : 40), "so few steps cannot be all")
  }

  /// The home of a device with a finger and two items, and what its client knows of it.
  private func makeModel() throws -> (home: String, book: ItemBook) {
    let home = scratch.file("model")
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create(Self.device)
    var book = ItemBook()
    for (account, version) in [(0, 1), (1, 2)] {
      book.began(.add(account, version: version))
      try client.send(.add(account, version: version), on: Self.device, knowing: book.state)
      let isRight = book.ended(with: try client.receiveOutcome())
      #expect(isRight)
    }
    let guarded = Guarded.query.setting([
      "accc": ["accessControl": ["protection": "ak", "flags": ["biometryAny"]]]
    ])
    let added = try client.item(
      "Add",
      on: Self.device,
      guarded,
      ["data": .text(Guarded.data)]
    )
    #expect(added.isDone)
    #expect(try daemon.stop() == .status(0))
    return (home, book)
  }
}

/// The item that asks for a finger.
private struct Guarded {
  static let query: JSONValue = ["class": "genp", "acct": "guarded", "svce": "elsewhere"]
  static let data = "aHVudGVyMg=="
  /// What the client was given of it.
  var secret: String?
}

extension WireClient {
  fileprivate func copyGuarded(
    on device: String,
    script: String? = nil
  ) throws -> (outcome: String?, secret: String?) {
    var call = Self.itemCall(on: device, Guarded.query.setting(["r_Data": true]), ["context": 1])
    if let script { call = call.setting(["script": .text(script), "interactive": true]) }
    let answer = try stream(Interface.keychain + "Copy", call).last?.get()["answer"]
    return (
      answer?["outcome"]?.string, answer?["items"]?.elements.first?["data"]?.string
    )
  }
}
