import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// `authctl sync invite|approve`: letting another device in.
enum SyncInviteVerbs {
  static let words = Option<String?>(
    "words",
    "WORDS",
    help: "let it in if these are its words, and ask nobody"
  )

  static let invite = Command(
    "invite",
    abstract: "Show a code by which another device joins the circle.",
    discussion: """
      The code is good for ten minutes and one device. Then the name and six words of the device that used it are
      shown: let it in if that device shows the same words, with a finger or the passcode of this one.
      """,
    options: [SyncHubOptions.noWait.declaration] + ProofInput.policyOptions,
    exclusions: ProofInput.policyExclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try invite(context) }

  private static func invite(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    let waits = !context.arguments[SyncHubOptions.noWait]
    guard !waits || !context.output.wantsJSON else {
      throw Failure(.usage, "'sync invite' asks a person: give --no-wait with --json.")
    }
    let isGiven =
      context.arguments[PasscodeInput.passcodeStdin]
      || context.arguments[PasscodeInput.descriptor] != nil
      || context.arguments[ProofInput.policy] != nil
    guard waits || !isGiven else {
      throw Failure(
        .usage,
        "With --no-wait nobody is let in yet: 'sync approve' takes the passcode, or a policy."
      )
    }
    if waits {
      try requireTerminal()
    } else {
      try Output.requirePrivate(orElse: "make it for you alone with umask 077")
    }
    var connection = try context.connect()
    let code = try context.calling { () throws(ClientError) in
      try connection.inviteDevice(on: device)
    }
    guard let code = code.take() else { throw Failure(.internalError, "The code was taken.") }
    guard waits else {
      var report = Report("The code is good for ten minutes and one device.")
      report.secret = KeychainReport.shown(HeldSecret(code))
      return report
    }
    try show(code, context)
    let answering = try wait(context, device)
    return try letIn(answering, device, context)
  }

  /// Without a terminal nobody would see the code of an invitation that is open, and that ended an earlier one.
  private static func requireTerminal() throws(Failure) {
    guard isatty(STDOUT_FILENO) != 0 else {
      throw Failure(.notInteractive, "There is no terminal to show the code on. Give --no-wait.")
    }
  }

  /// Shows the code, on a terminal alone.
  private static func show(
    _ code: borrowing Secret,
    _ context: VerbContext
  ) throws(Failure) {
    context.output.say("Type this code at the other device, within ten minutes:")
    guard context.output.write("\n  "), Output.write(code), context.output.write("\n\n") else {
      throw Failure(.internalError, "The code cannot be written.")
    }
  }

  private static func wait(
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> SyncMessages.AnsweringReply {
    var interruption = Interruption()
    while !interruption.hasCome() {
      let reply = try context.call(Methods.answeringDevice, SyncVerbs.deviceCall(device))
      if reply.name != nil { return reply }
      SyncText.pause()
    }
    try decline(context, device)
    throw Failure(.userCancel, "The invitation is over; nobody was let in.")
  }

  private static func decline(_ context: VerbContext, _ device: DeviceChoice) throws(Failure) {
    let _: Methods.Empty = try context.call(Methods.declineDevice, SyncVerbs.deviceCall(device))
  }

  static let approve = Command(
    "approve",
    abstract: "Let the device in that answered the invitation.",
    discussion: """
      'authctl sync invite' does this too, as long as it waits. It takes a finger or the passcode: the prompt names the
      device and its words. With --policy that policy is to be proven, too. In a script, --words says which words the
      device must have.

        authctl sync approve --policy biometrics-and-passcode
      """,
    options: [words.declaration] + ProofInput.policyOptions,
    exclusions: ProofInput.policyExclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let device = try context.device()
    let reply = try context.call(Methods.answeringDevice, SyncVerbs.deviceCall(device))
    guard reply.name != nil else {
      throw Failure(.itemNotFound, "Nobody answered the invitation yet.")
    }
    return try letIn(reply, device, context)
  }

  private static func letIn(
    _ answering: SyncMessages.AnsweringReply,
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) -> Report {
    let name = answering.name ?? ""
    let words = answering.words.joined(separator: " ")
    do throws(Failure) {
      try check(name, words, device, context)
      var call = SyncMessages.ApproveCall()
      call.peer = answering.peer
      call.policy = context.arguments[ProofInput.policy]
      _ = try ProofInput.underPolicy(context).call(
        Methods.approveDevice,
        call,
        on: device,
        to: "let a device into your circle"
      )
    } catch {
      switch error.outcome {
      case .userCancel, .appCancel:
        try decline(context, device)
        // Whoever interrupts what was proven may come too late.
        if try isIn(answering, context, device) { break }
        throw Failure(error.outcome, "The invitation is over; nobody was let in.")
      case .authenticationFailed, .timeout, .userFallback, .biometryLockout, .systemCancel:
        let typed = context.typed(device: device.name)
        let advice = "The invitation is still open: \(typed) sync approve"
        throw Failure(
          error.outcome,
          "\(error.message) \(advice)",
          retryAfterSeconds: error.retryAfterSeconds
        )
      default: throw error
      }
    }
    return Report("\(name) is in the circle.") {
      $0.member("name", name)
      $0.member("words", answering.words)
    }
  }

  /// Whether the circle has a device by now.
  private static func isIn(
    _ answering: SyncMessages.AnsweringReply,
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> Bool {
    let status = try context.call(Methods.syncStatus, SyncVerbs.deviceCall(device))
    return status.peers.contains { $0.id == answering.peer }
  }

  /// Has the words compared: by a person, or with those that were given.
  private static func check(
    _ name: String,
    _ words: String,
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) {
    if let given = context.arguments.path.contains("approve") ? context.arguments[Self.words] : nil
    {
      guard given.split(whereSeparator: \.isWhitespace).joined(separator: " ") == words else {
        throw Failure(.notPermitted, "\(name) has other words: \(words). It was not let in.")
      }
      return
    }
    guard context.canAsk else {
      throw Failure(.notInteractive, "There is no terminal to compare words on. Give --words.")
    }
    let status = try context.call(Methods.syncStatus, SyncVerbs.deviceCall(device))
    if status.peers.contains(where: { $0.name == name }) {
      context.output.say("The circle has a device \(name) already.")
    }
    context.output.say("\(name) shows these words, if it is the one you mean:", words)
    try Interruption.survived { () throws(Failure) in
      try context.confirm("Let it in if it is yours and shows the same.", isFinal: true)
    }
  }
}
