import LocalAuthClient
import LocalAuthCore
import LocalAuthUnix
import LocalAuthWire

/// Rounds with the hub that a person waits for: on a terminal with a line that says how much has come.
struct SyncRounds {
  private let context: VerbContext
  private let device: DeviceChoice
  private let line: TerminalLine

  init(_ context: VerbContext, _ device: DeviceChoice) {
    self.context = context
    self.device = device
    line = TerminalLine(context)
  }

  /// Whether somebody sees what comes.
  var isShown: Bool { line.isShown }

  /// How often it is looked how far a round is.
  private static let look = Duration.milliseconds(500)

  /// Has the hub asked, and waits until that has ended, however long it takes: its worker gives up a hub that says nothing.
  ///
  /// - Parameters:
  ///   - isEnough: Whether nobody waits any more for what is under way, by how it stands.
  ///   - isInterrupted: Whether the person waits no more, which is asked ten times a second.
  /// - Returns: how it stands; nil if the person interrupted.
  /// - Throws: ``Failure``, if the daemon cannot be reached or the device has no circle.
  func one(
    until isEnough: (SyncMessages.StatusReply) -> Bool = { _ in false },
    orElse isInterrupted: () -> Bool = { false }
  ) throws(Failure) -> SyncMessages.StatusReply? {
    defer { line.clear() }
    var connection = try context.connect()
    try context.calling { () throws(ClientError) in
      try connection.begin(Methods.synchronize, SyncVerbs.deviceCall(device), more: false)
    }
    var next = Deadline.after(Self.look)
    while true {
      let ready = try context.calling { () throws(ClientError) in
        try connection.wait(alsoFor: [], until: .after(.milliseconds(100)))
      }
      guard !ready.isSocketReady else { break }
      if isInterrupted() { return nil }
      guard next.hasPassed else { continue }
      next = .after(Self.look)
      let status = try context.call(Methods.syncStatus, SyncVerbs.deviceCall(device))
      if isEnough(status) { return status }
      if isShown { line.show(SyncProgressText.line(status)) }
    }
    return try context.calling { () throws(ClientError) in
      try connection.next(Methods.synchronize).reply
    }
  }

  /// Asks the hub again and again until the device is let in, or `isOver`: what a round brings then is not waited for.
  func admission(
    orUntil isOver: (SyncMessages.StatusReply) -> Bool
  ) throws(Failure) -> SyncMessages.StatusReply {
    while true {
      let reply = try one(until: { $0.stage != "joining" })
      if let reply, reply.stage != "joining" || isOver(reply) { return reply }
      SyncText.pause()
    }
  }

  /// Waits for what a circle has that the device is in now, and says what came.
  ///
  /// Whoever interrupts ends the waiting alone. Where the hub is not reached, or anything else ends the round, the rest comes
  /// by itself.
  ///
  /// - Parameters:
  ///   - entered: That the device is in the circle, as a sentence.
  ///   - status: How it stood then.
  ///   - isAwaited: Whether to wait.
  /// - Returns: what the program says, and how it exits.
  func arrival(
    behind entered: String,
    _ status: SyncMessages.StatusReply,
    isAwaited: Bool
  ) -> Report {
    guard isAwaited else {
      return report("\(entered) \(SyncProgressText.byItself)", status)
    }
    guard isShown else {
      let last = (try? one()) ?? status
      return report("\(entered) \(SyncProgressText.sentence(last))", last)
    }
    var interruption = Interruption()
    context.output.say(
      "\(entered) What the circle has comes now; an interrupt ends the waiting alone."
    )
    let ended = (try? one(orElse: { interruption.hasCome() })) ?? nil
    let last = ended ?? (try? context.call(Methods.syncStatus, SyncVerbs.deviceCall(device)))
    return report(SyncProgressText.sentence(last ?? status), last ?? status)
  }

  private func report(_ sentence: String, _ status: SyncMessages.StatusReply) -> Report {
    Report(sentence) { SyncText.write(status, to: &$0) }
  }
}
