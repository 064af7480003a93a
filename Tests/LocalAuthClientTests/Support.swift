import LocalAuthClient
import LocalAuthSecret
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire

/// The address of a fake daemon; none is ever started in its place.
func address(of daemon: FakeDaemon) throws -> DaemonAddress {
  DaemonAddress(
    paths: try RuntimePaths(
      home: daemon.directory,
      socket: daemon.path,
      environment: ProcessEnvironment(variables: [:])
    ),
    startsDaemon: false
  )
}

/// A choice made by `variables` and, where there is one, by the caller.
func choice(
  _ name: String? = nil,
  _ variables: [String: String] = [:],
  isPrivileged: Bool = false
) throws -> DeviceChoice {
  try DeviceChoice(
    named: name,
    environment: ProcessEnvironment(variables: variables, isPrivileged: isPrivileged)
  )
}

/// A secret of this text.
func secret(_ text: String) -> Secret {
  var secret = Secret(capacity: text.utf8.count)
  for byte in text.utf8 { _ = secret.append(byte) }
  return secret
}

/// What kind of error it is, for comparison.
func kind(_ error: ClientError?) -> String {
  switch error {
  case .none: "none"
  case .unreachable: "unreachable"
  case .foreignServer: "foreignServer"
  case .requestTooLong: "requestTooLong"
  case .protocolError: "protocolError"
  case .remote(let name, _): name
  }
}

/// What `body` throws; nil when it returns.
func failure<Result: ~Copyable>(_ body: () throws -> Result) -> ClientError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ClientError ?? .protocolError("the test itself: \(error)")
  }
}

/// A result as the daemon sends it.
func result(
  _ outcome: String,
  exit: Int64,
  device: String = "sim",
  simulated: Bool = true
) -> AuthenticationMessages.Result {
  var result = AuthenticationMessages.Result()
  result.outcome = outcome
  result.exit = exit
  result.policy = "biometrics"
  result.device = device
  result.method = "fingerprint"
  result.finger = "right-thumb"
  result.simulated = simulated
  return result
}

/// The same as JSON.
func resultJSON(_ outcome: String, exit: Int, device: String = "sim") -> String {
  """
  {"outcome":"\(outcome)","exit":\(exit),"laError":0,"message":"m","policy":"biometrics",\
  "device":"\(device)","attempts":1,"evaluation":"e","simulated":true,"scriptEventsLeft":0}
  """
}

/// A prompt as JSON.
func promptJSON(nonce: String) -> String {
  """
  {"nonce":"\(nonce)","evaluation":"e","policy":"passcode","reason":"r","caller":"c",\
  "device":"sim","simulated":true,"biometry":false,"passcode":true,"passcodePrompt":"Passcode:",\
  "passcodeEchoes":false,"fallback":false}
  """
}
