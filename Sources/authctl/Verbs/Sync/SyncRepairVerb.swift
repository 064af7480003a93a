import LocalAuthClient
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

/// `authctl sync repair`: going on with a hub that lost something.
extension SyncVerbs {
  static let repair = Command(
    "repair",
    abstract: "Go on with a hub that lost something.",
    discussion: """
      After an older copy of the hub was put back, each device says so and stops writing there. Find out from the
      hub's administrator whether that was meant; then do this on each device. What they hold is sent again and
      merged.
      """,
    options: [Confirmation.yes.declaration] + ProofInput.options,
    exclusions: ProofInput.exclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let device = try context.device()
    try requireLoss(try requireCircle(context, device))
    try context.confirm("Whoever has the hub could have taken something away.")
    _ = try ProofInput(context).call(
      Methods.repairSync,
      SyncMessages.DecisionCall(),
      on: device,
      to: "go on with a hub that lost something"
    )
    // Without an answer it goes on by itself.
    let reply = try? context.call(
      Methods.synchronize,
      deviceCall(device),
      within: SyncText.patience
    )
    return try repaired(device.name ?? "default", reply)
  }

  /// Fails where there is nothing to repair: nobody is asked about that.
  ///
  /// Where that cannot be said, the daemon decides.
  private static func requireLoss(_ status: SyncMessages.StatusReply?) throws(Failure) {
    guard let status, !status.zones.contains(where: { $0.needsRepair == true }) else { return }
    guard status.circleAlarm == nil else {
      throw Failure(
        .notPermitted,
        "The log of the circle cannot be repaired: 'authctl sync status' says what can be done."
      )
    }
    throw Failure(.notPermitted, "There is nothing to repair: the hub is believed.")
  }

  /// Says what became of a repair, as far as the hub was asked since.
  private static func repaired(
    _ name: String,
    _ status: SyncMessages.StatusReply?
  ) throws(Failure) -> Report {
    let zones = status?.zones ?? []
    if let zone = zones.first(where: { $0.alarm != nil }), let alarm = zone.alarm {
      throw Failure(
        .notPermitted,
        "The hub was asked once more, and is not believed again: \(zone.name): \(alarm). Ask its administrator, and then repair again."
      )
    }
    let lost = zones.reduce(0) { $0 + ($1.lost ?? 0) }
    let rest =
      lost == 0
      ? ""
      : " The hub lost \(CountText.of(lost, "record")) that \(name) does not have: see 'authctl sync status'."
    return Report("What \(name) holds is sent to the hub again.\(rest)") {
      $0.member("device", name)
    }
  }
}
