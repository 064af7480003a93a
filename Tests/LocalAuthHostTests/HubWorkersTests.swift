import LocalAuthCore
import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import LocalAuthHost

@Suite struct HubWorkersTests {
  private let place = ScratchDirectory()
  private let loop: EventLoop
  private let clock = HandClock()

  init() throws { loop = try EventLoop() }

  private func address() throws -> HubAddress {
    let role = try #require(HubRole(bytes: [UInt8](repeating: 1, count: 16)))
    return try #require(HubAddress(host: "/run/hub", database: "hub", role: role))
  }

  /// Turns the loop until something is so.
  private func turn(until isDone: () -> Bool) throws {
    while !isDone() { _ = try loop.runOnce(timeout: nil) }
  }

  /// Whoever took the program over could hold every call of a person for as long as it likes.
  @Test func aProgramThatSaysNothingIsGivenUpAndEachCallEnds() throws {
    // It runs on, and neither reads nor writes what the daemon gave it.
    let workers = HubWorkers(
      loop: loop,
      clock: clock,
      source: .program("/usr/bin/yes"),
      silence: .zero
    )
    let link = workers.link(
      for: 1000,
      to: try address(),
      password: HubPassword.generate().box(),
      onNotice: { _ in }
    )
    var replies: [HubReply] = []
    for _ in 0..<2 { link.ask(.heads) { replies.append($0) } }
    try turn { replies.count == 2 }
    let silent = HubReply.failed(.unreachable("its program does not answer"))
    #expect(replies == [silent, silent])
    link.ask(.heads) { replies.append($0) }
    try turn { replies.count == 3 }
    #expect(replies.last == silent, "another one was started")
    link.close()
  }

  // MARK: What nobody asked for

  private static let request = HubRequest.tell
  private static let password = "x"

  /// A conversation with a program that says what is in a file once it was asked something, and then does the rest.
  private func link(
    _ rest: String,
    onNotice: @escaping (HubNotice) -> Void
  ) throws -> any HubLink {
    let address = try address()
    let messages = [HubRequest.connect(address), Self.request].map { $0.bytes(number: 1).count }
    // What it leaves unread would be lost, and with it what it said.
    let size = messages.reduce(3 * HubFrame.headerSize + Self.password.utf8.count, +)
    place.write(
      """
      #!/bin/sh
      /usr/bin/head -c \(size) <&3 >/dev/null
      /bin/cat '\(place.file("said"))' >&3
      \(rest)
      """,
      to: "program",
      mode: 0o700
    )
    return HubWorkers(loop: loop, clock: clock, source: .program(place.file("program")))
      .link(
        for: 1000,
        to: address,
        password: SecretBox(Secret(copying: Self.password.utf8)),
        onNotice: onNotice
      )
  }

  /// What the program says next: this, and then that the request of this number is done.
  private func says(_ notices: [HubNotice], thenAnswers number: UInt32) {
    let messages =
      notices.map { HubReply.notice($0).bytes(number: 0) } + [HubReply.done.bytes(number: number)]
    place.write(messages.flatMap { HubFrame.header($0.count) + $0 }, to: "said")
  }

  @Test func newsWithoutEndBeginsARoundASecondAndTheLastOneIsNotLost() throws {
    var rounds = 0
    let link = try link("/bin/cat <&3 >/dev/null") { _ in rounds += 1 }
    says([HubNotice](repeating: .news, count: 9), thenAnswers: 1)
    var reply: HubReply?
    link.ask(Self.request) { reply = $0 }
    try turn { reply != nil }
    #expect(reply == .done && rounds == 1)
    clock.pass(.milliseconds(999))
    #expect(rounds == 1)
    clock.pass(.milliseconds(1))
    #expect(rounds == 2 && clock.isEmpty)
    link.close()
  }

  @Test func whatItSawIsPassedOnAtOnceAndBeginsNoRound() throws {
    let lost = HubNotice.failed(.denied("no such role"))
    var notices: [HubNotice] = []
    let link = try link("/bin/cat <&3 >/dev/null") { notices.append($0) }
    says([lost], thenAnswers: 1)
    var reply: HubReply?
    link.ask(Self.request) { reply = $0 }
    try turn { reply != nil }
    #expect(notices == [lost] && clock.isEmpty)
    link.close()
  }

  /// Each would be work for the daemon, and may be a line in its log.
  @Test func ofWhatItSeesWithoutEndTheLastWordIsPassedOnOnceASecond() throws {
    let (looked, lost) = (HubNotice.looked(Self.heads), HubNotice.failed(.denied("no such role")))
    var notices: [HubNotice] = []
    let link = try link("/bin/cat <&3 >/dev/null") { notices.append($0) }
    says([looked, lost, looked, looked, lost], thenAnswers: 1)
    var reply: HubReply?
    link.ask(Self.request) { reply = $0 }
    try turn { reply != nil }
    #expect(notices == [looked])
    clock.pass(.milliseconds(999))
    #expect(notices == [looked])
    clock.pass(.milliseconds(1))
    #expect(notices == [looked, lost] && clock.isEmpty)
    link.close()
  }

  /// Each conversation has a process, and the machine has so many.
  @Test func whoMakesManyDevicesTakesNobodyElsesPrograms() throws {
    place.write("#!/bin/sh\nexec /bin/cat <&3 >/dev/null\n", to: "silent", mode: 0o700)
    let workers = HubWorkers(
      loop: loop,
      clock: clock,
      source: .program(place.file("silent"))
    )
    func ask(
      for owner: UInt32,
      _ body: @escaping (HubReply) -> Void = { _ in }
    ) throws -> any HubLink {
      let password = SecretBox(Secret(copying: Self.password.utf8))
      let link = workers.link(for: owner, to: try address(), password: password) { _ in }
      link.ask(Self.request, body)
      return link
    }
    var links: [any HubLink] = []
    for _ in 0..<HubPlaces.ofOne { links.append(try ask(for: 1000)) }
    var reply: HubReply?
    let more = try ask(for: 1000) { reply = $0 }
    try turn { reply != nil }
    guard case .failed(.unreachable(let why)) = reply else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(why.contains("devices of this user"))
    var isAnswered = false
    let other = try ask(for: 1001) { _ in isAnswered = true }
    links.removeLast().close()
    let again = try ask(for: 1000) { _ in isAnswered = true }
    loop.onNextTurn {}
    _ = try loop.runOnce(timeout: nil)
    #expect(!isAnswered, "both have a program, which says nothing")
    for link in links + [more, other, again] { link.close() }
  }

  private static let heads = HubHeads(
    circle: .beginning,
    zones: [],
    time: WallInstant(milliseconds: 12)
  )

  /// Each would be a round, and its request another process.
  @Test func aProgramThatAnswersAndEndsIsStartedMoreAndMoreSeldom() throws {
    var rounds: UInt32 = 0
    var replies: [HubReply] = []
    var open: (any HubLink)?
    func ask() {
      says([], thenAnswers: rounds + 1)
      open?.ask(Self.request) { replies.append($0) }
    }
    open = try link("exit 0") { _ in
      rounds += 1
      ask()
    }
    ask()
    for wait in [1, 2, 4, 8] {
      let before = rounds
      try turn { !clock.isEmpty }
      clock.pass(.seconds(wait) - .milliseconds(1))
      #expect(rounds == before)
      clock.pass(.milliseconds(1))
      #expect(rounds == before + 1)
    }
    try turn { replies.count == 5 }
    #expect(replies.allSatisfy { $0 == .done })
    open?.close()
    open = nil
  }

  @Test func nothingIsDueForAConversationThatIsOver() throws {
    var rounds = 0
    let link = try link("/bin/cat <&3 >/dev/null") { _ in rounds += 1 }
    says([.news, .news], thenAnswers: 1)
    var reply: HubReply?
    link.ask(Self.request) { reply = $0 }
    try turn { reply != nil }
    link.close()
    #expect(clock.isEmpty)
    clock.pass(.seconds(2))
    #expect(rounds == 1)
  }
}
