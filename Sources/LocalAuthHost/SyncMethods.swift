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
      Handler(Methods.leaveCircle, leave),
      Handler(Methods.syncStatus, status),
      Handler(Methods.synchronize, synchronize),
    ] + SyncDecisionMethods.handlers

  private static func found(
    _ parameters: SyncMessages.BeginCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let code: SecretBox = try call.secret(parameters.code, "code")
    let beginning = try beginning(parameters)
    let responder = call.responder
    call.engine.foundCircle(
      beginning,
      code: code,
      caller: call.caller,
      then: responder.finish
    )
  }

  private static func join(
    _ parameters: SyncMessages.BeginCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let code: SecretBox = try call.secret(parameters.code, "code")
    let beginning = try beginning(parameters)
    let (engine, caller, responder) = (call.engine, call.caller, call.responder)
    engine.joinCircle(beginning, code: code, caller: caller) { result in
      responder.reply(result) { words in
        let report = try? engine.syncReport(
          of: beginning.device,
          allowsSimulated: beginning.allowsSimulated,
          caller: caller
        )
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
    let key: SecretBox = try call.secret(parameters.code, "code")
    let beginning = try beginning(parameters)
    call.engine.recoverCircle(
      beginning,
      key: key,
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func makeRecoveryKey(
    _ parameters: SyncMessages.ProvenCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let passcode = try call.secret(parameters.passcode, "passcode")
    call.engine.makeRecoveryKey(
      parameters.device,
      allowsSimulated: parameters.allowSimulated ?? false,
      passcode: passcode,
      caller: call.caller,
      then: call.responder.finishWithCode
    )
  }

  private static func beginning(
    _ parameters: SyncMessages.BeginCall
  ) throws(WireError) -> SyncBeginning {
    let hub = parameters.hub
    guard let port = UInt16(exactly: hub.port ?? 5432) else { throw .invalidParameter("hub") }
    return SyncBeginning(
      device: parameters.device,
      allowsSimulated: parameters.allowSimulated ?? false,
      hub: { role in
        HubAddress(
          host: hub.host,
          port: port,
          database: hub.database,
          authority: hub.authority ?? "",
          role: role
        )
      },
      name: parameters.name
    )
  }

  // MARK: Letting in

  private static func invite(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    call.engine.inviteDevice(
      parameters.device,
      allowsSimulated: parameters.allowSimulated ?? false,
      caller: call.caller,
      then: call.responder.finishWithCode
    )
  }

  private static func answering(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    let responder = call.responder
    call.engine.answeringDevice(
      parameters.device,
      allowsSimulated: parameters.allowSimulated ?? false,
      caller: call.caller
    ) { result in
      responder.reply(result) { answering in
        var reply = SyncMessages.AnsweringReply()
        reply.name = answering?.name
        reply.words = answering?.words ?? []
        return reply
      }
    }
  }

  private static func approve(
    _ parameters: SyncMessages.ProvenCall,
    _ call: borrowing Call
  ) throws(WireError) {
    try proven(parameters, call, Engine.approveDevice)
  }

  private static func decline(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    let (engine, caller) = (call.engine, call.caller)
    call.reply { () throws(EngineError) in
      try engine.declineDevice(
        parameters.device,
        allowsSimulated: parameters.allowSimulated ?? false,
        caller: caller
      )
      return Methods.Empty()
    }
  }

  // MARK: Throwing out, and leaving

  private static func remove(
    _ parameters: SyncMessages.RemoveCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard let peer = PeerIdentifier(text: parameters.peer) else {
      throw .invalidParameter("peer")
    }
    let passcode = try call.secret(parameters.passcode, "passcode")
    let responder = call.responder
    call.engine.removePeer(
      peer,
      parameters.device,
      allowsSimulated: parameters.allowSimulated ?? false,
      passcode: passcode,
      caller: call.caller,
      then: responder.finish
    )
  }

  private static func roll(
    _ parameters: SyncMessages.ProvenCall,
    _ call: borrowing Call
  ) throws(WireError) {
    try proven(parameters, call, Engine.rollKeys)
  }

  private static func repair(
    _ parameters: SyncMessages.ProvenCall,
    _ call: borrowing Call
  ) throws(WireError) {
    try proven(parameters, call, Engine.repairSynchronization)
  }

  private static func leave(
    _ parameters: SyncMessages.ProvenCall,
    _ call: borrowing Call
  ) throws(WireError) {
    try proven(parameters, call, Engine.leaveCircle)
  }

  private typealias ProvenAct = (Engine) -> (
    _ device: String?, _ allowsSimulated: Bool, SecretBox?, Caller, @escaping Engine.Completion
  ) -> Void

  /// Does what takes nothing but the passcode.
  private static func proven(
    _ parameters: SyncMessages.ProvenCall,
    _ call: borrowing Call,
    _ act: ProvenAct
  ) throws(WireError) {
    act(call.engine)(
      parameters.device,
      parameters.allowSimulated ?? false,
      try call.secret(parameters.passcode, "passcode"),
      call.caller,
      call.responder.finish
    )
  }

  // MARK: How it stands

  private static func status(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    let (engine, caller) = (call.engine, call.caller)
    call.reply { () throws(EngineError) in
      SyncMessages.StatusReply(
        try engine.syncReport(
          of: parameters.device,
          allowsSimulated: parameters.allowSimulated ?? false,
          caller: caller
        )
      )
    }
  }

  private static func synchronize(
    _ parameters: SyncMessages.DeviceCall,
    _ call: borrowing Call
  ) {
    let responder = call.responder
    call.engine.synchronize(
      parameters.device,
      allowsSimulated: parameters.allowSimulated ?? false,
      caller: call.caller
    ) { responder.reply($0) { SyncMessages.StatusReply($0) } }
  }
}
