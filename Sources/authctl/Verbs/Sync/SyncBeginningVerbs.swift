import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// `authctl sync found|join`: coming into a circle.
extension SyncVerbs {
  static let found = Command(
    "found",
    abstract: "Found a circle with this device as its first one.",
    discussion: """
      Type the code that the hub's administrator got from 'authctl hub found'. What is synchronized goes to that hub,
      sealed, so it takes a finger or the passcode: the prompt names the hub.

        authctl sync found db.example.org --ca hub.pem --name laptop
      """,
    arguments: [SyncHubOptions.host.declaration],
    options: SyncHubOptions.beginningOptions,
    exclusions: SyncHubOptions.beginningExclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try found(context) }

  private static func found(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    let call = try beginning(context, device)
    let code = try SyncHubOptions.code(context, "Code of the hub's administrator")
    _ = try begin(
      Methods.foundCircle,
      call,
      code,
      on: device,
      context,
      to: "found a circle of devices"
    )
    let reply = try context.call(
      Methods.synchronize,
      deviceCall(device),
      within: SyncText.patience
    )
    if let failure = reply.failure {
      if isDenied(reply) {
        throw Failure(
          .notPermitted,
          "\(SyncText.sentence(ofHub: failure)) Found the circle once more: with the right host and database, or with a new code."
        )
      }
      throw Failure(
        .unreachable,
        "The circle is not at its hub yet: \(failure). It is tried again by itself. If the hub is elsewhere, or --ca or the host's name is another, found the circle once more and say so."
      )
    }
    guard reply.stage == "member" else {
      throw Failure(.unreachable, "The circle is not at its hub yet. It is tried again by itself.")
    }
    // Who typed it before, and reached the hub, has the name that was typed then.
    let name = reply.peers.first { $0.isThisDevice }?.name ?? call.name
    if name != call.name {
      context.output.say("It was founded by this code before, and keeps the name \(name).")
    }
    return Report("\(name) founded a circle. 'authctl sync invite' lets another device in.") {
      SyncText.write(reply, to: &$0)
    }
  }

  /// What founding, joining and recovering take, besides the code.
  static func beginning(
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> SyncMessages.BeginCall {
    var call = SyncMessages.BeginCall()
    call.hub = try SyncHubOptions.hub(context)
    call.name = try SyncHubOptions.name(context)
    call.policy = context.arguments[ProofInput.policy]
    return call
  }

  /// Has a device come into a circle by a code that was typed, once its owner has proven to be that.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - call: Its parameters without the code.
  ///   - code: The code.
  ///   - device: The device.
  ///   - context: The verb.
  ///   - reason: Why the person is asked, as long as others are asked first.
  /// - Returns: The last reply.
  /// - Throws: ``Failure``.
  static func begin<Reply: ProofReply>(
    _ method: RemoteMethod<SyncMessages.BeginCall, Reply>,
    _ call: SyncMessages.BeginCall,
    _ code: borrowing Secret,
    on device: DeviceChoice,
    _ context: VerbContext,
    to reason: String
  ) throws(Failure) -> Reply {
    try code.lend { (secret) throws(Failure) in
      var call = call
      call.code = secret
      return try ProofInput.underPolicy(context).call(method, call, on: device, to: reason).reply
    }
  }

  static let join = Command(
    "join",
    abstract: "Join the circle of a device that shows a code.",
    discussion: """
      Type the code that 'authctl sync invite' shows on the other device, and compare the six words that both
      devices show. The circle gets what is synchronized here, so it takes a finger or the passcode: the prompt names
      the hub, and has the words. It waits until somebody there lets this device in, and then until what the circle has
      is here; an interrupt ends that waiting alone.

        authctl sync join db.example.org --ca hub.pem --name server
      """,
    arguments: [SyncHubOptions.host.declaration],
    options: SyncHubOptions.beginningOptions + [SyncHubOptions.noWait.declaration],
    exclusions: SyncHubOptions.beginningExclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try join(context) }

  private static func join(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    let call = try beginning(context, device)
    let code = try SyncHubOptions.code(context, "Code of the other device")
    let reply = try begin(
      Methods.joinCircle,
      call,
      code,
      on: device,
      context,
      to: "join a circle of devices"
    )
    let own = reply.words ?? []
    let words = own.joined(separator: " ")
    let known = try context.call(Methods.syncStatus, deviceCall(device))
    guard known.stage != "member" else {
      return Report(isIn(known, call.name, since: " already")) { SyncText.write(known, to: &$0) }
    }
    if let name = reply.name, name != call.name {
      context.output.say("It asked by this code before, and keeps the name \(name).")
    }
    guard !context.arguments[SyncHubOptions.noWait] else {
      context.output.say("The other device has to let this one in, which has these words:")
      return Report("The other device has to let this one in.", answer: [words]) {
        $0.member("words", own)
      }
    }
    context.output.say("The words of this device, which the other one must show too:", words)
    let rounds = SyncRounds(context, device)
    let status = try rounds.admission { isDenied($0) || $0.circleAlarm != nil }
    try requireMember(status, call.name)
    return rounds.arrival(behind: isIn(status, call.name), status, isAwaited: true)
  }

  /// Says with whom a device is in its circle; one that joined before has the name that was typed then.
  static func isIn(
    _ status: SyncMessages.StatusReply,
    _ name: String,
    since: String = ""
  ) -> String {
    let name = status.peers.first { $0.isThisDevice }?.name ?? name
    return "\(name) is in the circle\(since) with \(SyncText.others(status))."
  }

  /// Fails unless the circle's log has this device, as far as the device has verified it.
  static func requireMember(
    _ status: SyncMessages.StatusReply,
    _ name: String
  ) throws(Failure) {
    if status.stage == "joining" { throw Failure(.notPermitted, whyNotIn(status)) }
    guard status.stage == "member", status.peers.contains(where: { $0.isThisDevice }) else {
      throw Failure(.notPermitted, "\(name) is in no circle: see 'authctl sync status'.")
    }
  }

  private static func whyNotIn(_ status: SyncMessages.StatusReply) -> String {
    if let alarm = status.circleAlarm { return "The hub is not believed: \(alarm)." }
    guard status.failureCode == "codeWasUsed" else {
      return "The invitation is over: join with a new code."
    }
    return "The code let another device in, and is good for one: join with a new code."
  }
}
