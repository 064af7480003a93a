import LocalAuthCore
import LocalAuthJSON
import LocalAuthWire

/// Whatever the bytes are, reading them as any message returns; what is read as a message is
/// written and read again as the same one, and no secret's place lies outside the frame.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWire(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let frame = unsafe UnsafeRawBufferPointer(start: start, count: count)
  if let call = try? unsafe IncomingCall(frame: frame) {
    unsafe readAll(call.parameters, frame)
  }
  if let reply = try? unsafe IncomingReply(frame: frame) {
    unsafe readAll(reply.parameters, frame)
  }
  unsafe readCall(frame)
  return 0
}

private func readAll(_ range: Range<Int>?, _ frame: UnsafeRawBufferPointer) {
  unsafe check(AuthenticationMessages.EvaluateCall.self, range, frame, secret: \.script)
  unsafe check(AuthenticationMessages.RespondCall.self, range, frame, secret: \.passcode)
  unsafe check(AuthenticationMessages.CanEvaluateCall.self, range, frame)
  unsafe check(AuthenticationMessages.EvaluateReply.self, range, frame)
  unsafe check(AuthenticationMessages.CanEvaluateReply.self, range, frame)
  unsafe check(AgentMessages.RegisterReply.self, range, frame)
  unsafe check(KeychainMessages.AddCall.self, range, frame, secret: \.data)
  unsafe check(KeychainMessages.AddAllCall.self, range, frame, secret: \.items.first?.data)
  unsafe check(KeychainMessages.CopyCall.self, range, frame, secret: \.asking.script)
  unsafe check(KeychainMessages.UpdateCall.self, range, frame, secret: \.asking.applicationPassword)
  unsafe check(KeychainMessages.InvalidateContextCall.self, range, frame)
  unsafe check(KeychainMessages.GroupsReply.self, range, frame)
  unsafe check(WireAccessControl.self, range, frame)
  unsafe check(DeviceMessages.CreateCall.self, range, frame, secret: \.passcode)
  unsafe check(DeviceMessages.DeleteCall.self, range, frame, secret: \.passcode)
  unsafe check(DeviceMessages.StatusReply.self, range, frame)
  unsafe check(DeviceMessages.AuditReply.self, range, frame)
  unsafe check(SensorMessages.EnrollCall.self, range, frame, secret: \.passcode)
  unsafe check(SensorMessages.DumpReply.self, range, frame)
  unsafe check(PolicyMessages.CheckCall.self, range, frame)
  unsafe check(ServiceMessages.ErrorParameters.self, range, frame)
}

private func check<Message: WireObject>(
  _ type: Message.Type,
  _ range: Range<Int>?,
  _ frame: UnsafeRawBufferPointer,
  secret: KeyPath<Message, WireSecret?>? = nil
) {
  guard let message = try? unsafe Message.read(range, of: frame) else { return }
  if let secret {
    guard let place = message[keyPath: secret] else { return }
    guard let range else { preconditionFailure("a secret without parameters") }
    let parameters = unsafe UnsafeRawBufferPointer(rebasing: frame[range])
    var size = 0
    try? unsafe place.decode(from: parameters) { _ in
      size += 1
      return true
    }
    precondition(size <= frame.count, "a secret longer than its frame")
    return
  }
  var first: [UInt8] = []
  var second: [UInt8] = []
  guard (try? IncomingReply.write(message, to: &first)) != nil else {
    preconditionFailure("a message that was read cannot be written")
  }
  unsafe first.withUnsafeBytes { bytes in
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropLast())
    guard let reply = try? unsafe IncomingReply(frame: text),
      let again = try? unsafe Message.read(reply.parameters, of: text),
      (try? IncomingReply.write(again, to: &second)) != nil
    else { preconditionFailure("a message that was written cannot be read") }
  }
  precondition(first == second, "a message changed on its way")
}

/// What a worker of PAM's, or another program, reads of its daemon.
private func readCall(_ frame: UnsafeRawBufferPointer) {
  guard case .answer(_, let secret, let range)? = try? unsafe AuthenticatorCall(frame: frame) else {
    return
  }
  let parameters = unsafe UnsafeRawBufferPointer(rebasing: frame[range])
  var size = 0
  try? unsafe secret.decode(from: parameters) { byte in
    size += 1
    return byte != 0 && size <= Arming.answerSizeMax
  }
  precondition(size <= frame.count, "an answer longer than its frame")
}
