import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// `authctl sync recovery-key|recover`: the way back by paper.
enum SyncRecoveryVerbs {
  static let make = Command(
    "recovery-key",
    abstract: "Make a recovery key, to be kept on paper.",
    discussion: """
      Whoever has lost all devices of a circle comes back by it: 'authctl sync recover' on a new one. It is shown
      once and kept nowhere; whoever reads it can do the same. The one before ends.
      """,
    options: [Confirmation.yes.declaration] + ProofInput.options,
    exclusions: ProofInput.exclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try make(context) }

  private static func make(_ context: VerbContext) throws(Failure) -> Report {
    guard !context.output.wantsJSON else {
      throw Failure(.usage, "'sync recovery-key' prints the bare key: leave out --json.")
    }
    try Output.requirePrivate(orElse: "make it for you alone with umask 077")
    let device = try context.device()
    let status = try context.call(Methods.syncStatus, SyncVerbs.deviceCall(device))
    if status.peers.contains(where: { $0.kind == "recovery" }) {
      try context.confirm("The recovery key that there is will be good for nothing.")
    }
    let done = try ProofInput(context).call(
      Methods.makeRecoveryKey,
      SyncMessages.DecisionCall(),
      on: device,
      to: "make a recovery key for your circle"
    )
    guard let code = done.code?.take() else {
      throw Failure(.internalError, "The daemon sent no key.")
    }
    context.output.say("Write this down; it is not shown again:")
    var report = Report("The circle has a recovery key.")
    report.secret = KeychainReport.shown(HeldSecret(code))
    return report
  }

  static let recover = Command(
    "recover",
    abstract: "Join a circle by its recovery key.",
    discussion: """
      Type the key that 'authctl sync recovery-key' showed; nobody has to let this device in. The circle gets what is
      synchronized here, so it takes a finger or the passcode of this one: the prompt names the hub. It waits until
      what the circle has is here, without --no-wait. Remove the devices that are lost afterwards, and make another key:
      this one was typed.

        authctl sync recover db.example.org --ca hub.pem --name replacement
      """,
    arguments: [SyncHubOptions.host.declaration],
    options: SyncHubOptions.beginningOptions + [SyncHubOptions.noWait.declaration],
    exclusions: SyncHubOptions.beginningExclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try recover(context) }

  private static func recover(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    let call = try SyncVerbs.beginning(context, device)
    let code = try SyncHubOptions.code(context, "Recovery key")
    _ = try SyncVerbs.begin(
      Methods.recoverCircle,
      call,
      code,
      on: device,
      context,
      to: "join a circle by its recovery key"
    )
    let status = try context.call(Methods.syncStatus, SyncVerbs.deviceCall(device))
    try SyncVerbs.requireMember(status, call.name)
    return SyncRounds(context, device).arrival(
      behind: SyncVerbs.isIn(status, call.name),
      status,
      isAwaited: !context.arguments[SyncHubOptions.noWait]
    )
  }
}
