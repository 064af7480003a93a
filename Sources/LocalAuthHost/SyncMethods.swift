import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthWire

/// The methods of `io.localauth.Sync`.
enum SyncMethods {
  static let handlers =
    [
      Handler(Methods.foundCircle, found),
      Handler(Methods.joinCircle, join),
      Handler(Methods.inviteDevice, invite),
      Handler(Methods.answeringDevice, answering),
      Handler(Methods.approveDevice, approve),
      Handler(Methods.declineDevice, decline),
      Handler(Methods.removePeer, remove),
      Handler(Methods.rollKeys, roll),
      Handler(Methods.repairSync, repair),
      Handler(Methods.recoverCircle, recover),
      Handler(Methods.makeRecoveryKey, makeRecoveryKey),
      Handler(Methods.moveHub, move),
      Handler(Methods.leaveCircle, leave),
      Handler(Methods.syncStatus, status),
      Handler(Methods.synchronize, synchronize),
    ] + SyncDecisionMethods.handlers

  private static func found(
    _ parameters: SyncMessages.BeginCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let (beginning, code) = try beginning(parameters, call)
    let (device, proof) = try proof(parameters.proof, call)
    call.engine.foundCircle(
      beginning,
      code: code,
      device,
      by: proof,
      then: call.responder.finish
    )
  }

  private static func join(
    _ parameters: SyncMessages.BeginCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let (beginning, code) = try beginning(parameters, call)
    let (device, proof) = try proof(parameters.proof, call)
    let (engine, responder) = (call.engine, call.responder)
    engine.joinCircle(beginning, code: code, device, by: proof) { result in
      responder.reply(result) { words in
        let report = try? engine.syncReport(of: device)
        var reply = SyncMessages.JoinReply()
        reply.words = words
        reply.name = report?.name
        return reply
      }
    }
  }

  private static func recover(
    _ parameters: SyncMessages.BeginCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let (beginning, key) = try beginning(parameters, call)
    let (device, proof) = try proof(parameters.proof, call)
    call.engine.recoverCircle(
      beginning,
      key: key,
      device,
      by: proof,
      then: call.responder.finish
    )
  }

  private static func makeRecoveryKey(
    _ parameters: SyncMessages.DecisionCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let (device, proof) = try proof(parameters.proof, call)
    call.engine.makeRecoveryKey(device, by: proof, then: call.responder.finishWithKey)
  }

  /// Where a device is to be synchronized, and what a person typed.
  private static func beginning(
    _ parameters: SyncMessages.BeginCall,
    _ call: borrowing Call
  ) throws(WireError) -> (SyncBeginning, SecretBox) {
    let beginning = SyncBeginning(
      hub: try address(of: parameters.hub),
      name: parameters.name,
      policy: try policy(parameters.policy, parameters.proof)
    )
    return (beginning, try call.secret(parameters.code, "code"))
  }

  /// The policy that is to be proven besides: nothing of one is proven by a passcode that came with the call.
  private static func policy(
    _ name: String?,
    _ proof: SyncMessages.Proof
  ) throws(WireError) -> String? {
    guard name == nil || proof.passcode == nil else { throw .invalidParameter("policy") }
    return name
  }

  /// The address of a hub, for a device that has a role there.
  private static func address(
    of hub: SyncMessages.Hub
  ) throws(WireError) -> (HubRole) -> HubAddress? {
    guard let port = UInt16(exactly: hub.port ?? 5432) else { throw .invalidParameter("hub") }
    let certificate = try certificate(of: hub)
    return { role in
      HubAddress(
        host: hub.host,
        port: port,
        database: hub.database,
        authority: hub.authority ?? "",
        role: role,
        certificate: certificate
      )
    }
  }

  private static func certificate(
    of hub: SyncMessages.Hub
  ) throws(WireError) -> HubAddress.Certificate? {
    guard hub.certificate != nil || hub.certificateKey != nil else { return nil }
    guard let path = hub.certificate, let key = hub.certificateKey,
      let certificate = HubAddress.Certificate(path: path, key: key)
    else { throw .invalidParameter("hub") }
    return certificate
  }

  // MARK: Letting in

  private static func invite(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    call.engine.inviteDevice(
      call.device(parameters.device, parameters.allowSimulated),
      then: call.responder.finishWithCode
    )
  }

  private static func answering(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    let responder = call.responder
    call.engine.answeringDevice(
      call.device(parameters.device, parameters.allowSimulated)
    ) { result in
      responder.reply(result) { answering in
        var reply = SyncMessages.AnsweringReply()
        reply.peer = answering?.identifier.text
        reply.name = answering?.name
        reply.words = answering?.words ?? []
        return reply
      }
    }
  }

  private static func approve(
    _ parameters: SyncMessages.ApproveCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let peer = try parameters.peer.map { text throws(WireError) in try Self.peer(text) }
    let policy = try policy(parameters.policy, parameters.proof)
    let (device, proof) = try proof(parameters.proof, call)
    call.engine.approveDevice(
      device,
      comparing: peer,
      by: proof,
      under: policy,
      then: call.responder.finish
    )
  }

  private static func decline(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    let (engine, device) = (call.engine, call.device(parameters.device, parameters.allowSimulated))
    call.reply { () throws(EngineError) in
      try engine.declineDevice(device)
      return Methods.Empty()
    }
  }

  // MARK: Throwing out, and leaving

  private static func remove(
    _ parameters: SyncMessages.RemoveCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let peer = try peer(parameters.peer)
    let (device, proof) = try proof(parameters.proof, call)
    call.engine.removePeer(peer, device, by: proof, then: call.responder.finish)
  }

  private static func peer(_ text: String) throws(WireError) -> PeerIdentifier {
    guard let peer = PeerIdentifier(text: text) else { throw .invalidParameter("peer") }
    return peer
  }

  private static func roll(
    _ parameters: SyncMessages.DecisionCall,
    _ call: borrowing Call
  ) throws(WireError) {
    try decide(parameters, call, Engine.rollKeys)
  }

  private static func repair(
    _ parameters: SyncMessages.DecisionCall,
    _ call: borrowing Call
  ) throws(WireError) {
    try decide(parameters, call, Engine.repairSynchronization)
  }

  private static func move(
    _ parameters: SyncMessages.MoveCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let (device, proof) = try proof(parameters.proof, call)
    call.engine.moveHub(
      to: try address(of: parameters.hub),
      acceptingOlder: parameters.acceptOlder ?? false,
      device,
      by: proof,
      then: call.responder.finish
    )
  }

  private static func leave(
    _ parameters: SyncMessages.DecisionCall,
    _ call: borrowing Call
  ) throws(WireError) {
    try decide(parameters, call, Engine.leaveCircle)
  }

  private typealias Decision = (Engine) -> (
    CallerDevice, OwnersProof, @escaping Engine.Completion
  ) -> Void

  /// Decides what takes nothing but the owner's proof.
  private static func decide(
    _ parameters: SyncMessages.DecisionCall,
    _ call: borrowing Call,
    _ decision: Decision
  ) throws(WireError) {
    let (device, proof) = try proof(parameters.proof, call)
    decision(call.engine)(device, proof, call.responder.finish)
  }

  /// The device that a call is about, and how its owner proves to be that.
  private static func proof(
    _ parameters: SyncMessages.Proof,
    _ call: borrowing Call
  ) throws(WireError) -> (CallerDevice, OwnersProof) {
    var asking = EvaluationRequest(policy: "", reason: "", device: parameters.device)
    asking.asksAgent = parameters.agent ?? false
    asking.isInteractive = call.responder.more || asking.asksAgent
    asking.timeout = try call.timeout(parameters.timeoutMilliseconds)
    asking.allowsSimulated = parameters.allowSimulated ?? false
    let responder = call.responder
    let caller = responder.caller(of: asking)
    let passcode = try call.secret(parameters.passcode, "passcode")
    let proof = OwnersProof(passcode, asking: asking) { event, request in
      responder.replyContinuing(SyncMessages.ProvenReply(event, request, caller))
    }
    // The evaluation holds it as long as somebody is asked.
    responder.onCancel = { [weak proof] in proof?.cancel() }
    let device = CallerDevice(
      of: parameters.device,
      allowsSimulated: asking.allowsSimulated,
      caller
    )
    return (device, proof)
  }

  // MARK: How it stands

  private static func status(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    let (engine, device) = (call.engine, call.device(parameters.device, parameters.allowSimulated))
    call.reply { () throws(EngineError) in
      SyncMessages.StatusReply(try engine.syncReport(of: device))
    }
  }

  private static func synchronize(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    let responder = call.responder
    call.engine.synchronize(
      call.device(parameters.device, parameters.allowSimulated)
    ) { responder.reply($0) { SyncMessages.StatusReply($0) } }
  }
}
