import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

/// `authctl sync`: the circle of a device, and what goes between its devices.
enum SyncVerbs {
  static let command = Command(
    "sync",
    abstract: "Have the items of a keychain on all your devices.",
    discussion: """
      Items that were added with --synchronizable go to the other devices of your circle through a hub, a database of
      PostgreSQL that can neither read nor forge them. One device founds the circle; each other one joins by a
      code that a device of the circle shows, and is let in by a person who compares six words.
      """,
    subcommands: [
      found, join, SyncInviteVerbs.invite, SyncInviteVerbs.approve, status, now,
      SyncDecisionVerbs.conflicts, SyncDecisionVerbs.resolve, remove, SyncExposedVerbs.exposed,
      roll, SyncRecoveryVerbs.make, SyncRecoveryVerbs.recover, repair, SyncDecisionVerbs.head,
      move, leave,
    ]
  )

  static let peer = Argument<String>(
    "DEVICE",
    source: .peers,
    help: "the device, by its name or how its id begins"
  )

  /// Whether the hub knows the device or its invitation no more, or another device was let in by it.
  static func isDenied(_ status: SyncMessages.StatusReply) -> Bool {
    status.failureCode == "denied" || status.failureCode == "codeWasUsed"
  }

  static let status = Command(
    "status",
    abstract: "Show the circle of a device, and what is on its way.",
    discussion: """
      The hub is not asked: 'authctl sync now' does that. While something comes each zone says how much of it is
      here. The words of a zone are the same on two devices that
      have the same; compare them by eye if you want to be sure that the hub shows both the same.
      """,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    SyncText.report(try context.call(Methods.syncStatus, deviceCall(try context.device())))
  }

  static let now = Command(
    "now",
    abstract: "Ask the hub for what is new, and send what waits.",
    discussion: """
      It happens by itself whenever something changes, here or at another device. A terminal shows how much has come,
      and an interrupt ends the showing alone. The exit status is 77 as long as the
      hub is not believed, and once another device removed this one, 22 before the first unlock, and 70 while this
      device cannot keep what comes and goes, as with a full disk.
      """,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let reply = try synchronize(context, try context.device())
    let isKept = reply.failureCode != "notStored"
    if let failure = reply.failure, isKept {
      throw Failure(
        isDenied(reply) ? .notPermitted : .unreachable,
        SyncText.sentence(ofHub: failure)
      )
    }
    var report = SyncText.report(reply)
    if let failure = reply.failure {
      report.fail(
        .internalError,
        "\(SyncText.sentence(ofHub: failure)) It is tried again by itself."
      )
    }
    if let end = SyncText.end(reply) { report.fail(.notPermitted, end) }
    if reply.circleAlarm != nil || reply.zones.contains(where: { $0.alarm != nil }) {
      report.fail(.notPermitted, "The hub is not believed.")
    }
    return report
  }

  /// Asks the hub, and shows on a terminal how much has come; in a script it takes two minutes at most.
  private static func synchronize(
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> SyncMessages.StatusReply {
    let rounds = SyncRounds(context, device)
    if rounds.isShown, let reply = try rounds.one() { return reply }
    return try context.call(Methods.synchronize, deviceCall(device), within: SyncText.patience)
  }

  static let remove = Command(
    "remove",
    abstract: "Remove a device from the circle.",
    discussion: """
      Nothing that it writes from then on counts, its connection to the hub ends, and what is written gets new keys.
      What it had read it still knows: change those secrets where they are used. They are listed now, and in
      'authctl sync exposed' until they are changed or deleted; a locked device counts those that it cannot name.

        authctl sync remove server
      """,
    arguments: [peer.declaration],
    options: [Confirmation.yes.declaration] + ProofInput.options,
    exclusions: ProofInput.exclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try remove(context) }

  private static func remove(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    let status = try context.call(Methods.syncStatus, deviceCall(device))
    let peer = try SyncText.peer(named: context.arguments[peer], in: status)
    guard !peer.isThisDevice else {
      throw Failure(
        .notPermitted,
        "A device does not remove itself: it leaves by 'authctl sync leave', or another one removes it."
      )
    }
    let secrets = status.zones.first { $0.name == "items" }?.records ?? 0
    try context.confirm(
      peer.kind == "recovery"
        ? "The circle will have no recovery key."
        : "\(peer.name) could read \(CountText.of(secrets, "item")) and still knows them."
    )
    var call = SyncMessages.RemoveCall()
    call.peer = peer.id
    _ = try ProofInput(context).call(
      Methods.removePeer,
      call,
      on: device,
      to: "remove a device from your circle"
    )
    let known = try KnownSecrets(context, device).of(peer.id)
    if !known.lines.isEmpty {
      context.output.say("\(peer.name) is removed. Change what it knows where it is used:")
    }
    known.sayReservations(context)
    let rest = peer.kind == "recovery" ? ["The circle has none now."] : known.reservations
    let sentence = (["\(peer.name) is removed."] + rest).joined(separator: " ")
    return Report(sentence, answer: known.lines) {
      $0.member("peer", peer.id)
      $0.member("name", peer.name)
      known.write(to: &$0)
    }
  }

  static let roll = Command(
    "roll",
    abstract: "Have new keys made for everything.",
    discussion: """
      Do this if keys may have been copied, such as with the memory of a device. A removal does it, and it is done once a
      year. What is at the hub is sealed anew, which can be followed in 'authctl sync status'.
      """,
    options: ProofInput.options,
    exclusions: ProofInput.exclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let device = try context.device()
    try requireCircle(context, device)
    _ = try ProofInput(context).call(
      Methods.rollKeys,
      SyncMessages.DecisionCall(),
      on: device,
      to: "make new keys for your circle"
    )
    let name = device.name ?? "default"
    return Report("The circle has new keys.") { $0.member("device", name) }
  }

  static let leave = Command(
    "leave",
    abstract: "Forget the circle on this device.",
    discussion: """
      Its items stay here. The other devices keep it among them until one of them removes it. It can join again,
      as a new device.
      """,
    options: [Confirmation.yes.declaration] + ProofInput.options,
    exclusions: ProofInput.exclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let device = try context.device()
    let status = try requireCircle(context, device)
    let unsent = status?.zones.reduce(0) { $0 + $1.outgoing } ?? 0
    let kept = (try? SyncDecisionVerbs.conflicts(context, device))?.count ?? 0
    let loss =
      (unsent == 0 ? "" : " What was not sent yet stays here: \(CountText.of(unsent, "change")).")
      + (kept == 0
        ? ""
        : " What was overruled is forgotten: \(CountText.of(kept, "change")) of 'authctl sync conflicts'.")
    try context.confirm("Items will no longer go to other devices, or come from them.\(loss)")
    _ = try ProofInput(context).call(
      Methods.leaveCircle,
      SyncMessages.DecisionCall(),
      on: device,
      to: "leave your circle"
    )
    let name = device.name ?? "default"
    let rest = status.flatMap { afterLeaving($0) }.map { " " + $0 } ?? ""
    return Report("\(name) left its circle; its items are still here.\(rest)") {
      $0.member("device", name)
    }
  }

  /// What is left to do about a device that left its circle; nil for nothing.
  private static func afterLeaving(_ status: SyncMessages.StatusReply) -> String? {
    if status.stage == "removed" { return "Another device removed it already." }
    guard let own = status.peers.first(where: { $0.isThisDevice })?.name else { return nil }
    let removal = "authctl sync remove \(ShellWord.quoted(own))"
    // Whoever was removed is not let in, and cannot read by whom.
    return isDenied(status)
      ? "The hub did not let it in any more, as after a removal. If nobody did that, another device does: \(removal)"
      : "Another device removes it: \(removal)"
  }

  /// Ends with a failure if the device is in no circle, before anything is asked; nil if it cannot be shown.
  @discardableResult
  static func requireCircle(
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> SyncMessages.StatusReply? {
    do throws(Failure) {
      return try context.call(Methods.syncStatus, deviceCall(device))
    } catch {
      // What cannot be shown, as after damage, can be left all the same.
      guard error.outcome != .itemNotFound else { throw error }
      return nil
    }
  }

  static func deviceCall(_ device: DeviceChoice) -> SyncMessages.DeviceCall {
    var call = SyncMessages.DeviceCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    return call
  }
}
