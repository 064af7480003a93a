import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

/// `authctl sync move`: a hub that is somewhere else from now on.
extension SyncVerbs {
  private static let acceptOlder = Flag(
    "accept-older",
    help: "take an older copy of the hub, where 'sync repair' follows"
  )

  static let move = Command(
    "move",
    abstract: "Reach the hub at another address from now on.",
    discussion: """
      Do this on each device when the hub's administrator has moved it, or when its authority or your certificate
      has other files. The hub there has to have your circle and all that this device verified; otherwise nothing
      changes, and the reason is said.

        authctl sync move new.example.org --ca hub.pem
      """,
    arguments: [SyncHubOptions.host.declaration],
    options: SyncHubOptions.placeOptions + [acceptOlder.declaration] + ProofInput.options,
    exclusions: ProofInput.exclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try move(context) }

  private static func move(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    var call = SyncMessages.MoveCall()
    call.hub = try SyncHubOptions.hub(context)
    call.acceptOlder = context.arguments[acceptOlder] ? true : nil
    try requireCircle(context, device)
    _ = try ProofInput(context).call(
      Methods.moveHub,
      call,
      on: device,
      to: "reach the hub of your circle elsewhere"
    )
    let name = device.name ?? "default"
    return Report("\(name) reaches its hub at \(call.hub.host) from now on.") {
      $0.member("device", name)
    }
  }
}
