import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

/// A call while its handler runs: the service, the parameters and the responder.
///
/// It cannot be copied, so nothing can keep the frame, which is wiped when the handler returns.
/// Handlers that answer later keep the responder.
@safe
struct Call: ~Copyable {
  let server: Server
  let responder: Responder
  private let gate: CallGate
  private let frame: UnsafeRawBufferPointer
  /// The range of the parameters in the frame; nil if there are none.
  private let range: Range<Int>?

  /// The maximum size of a secret, in bytes; scripts are the longest.
  private static let secretSizeMax = 65_536

  /// Creates the call in `frame`, which must stay in place while the value exists.
  @unsafe
  init(
    _ incoming: IncomingCall,
    of frame: UnsafeRawBufferPointer,
    to server: Server,
    through gate: CallGate,
    _ responder: Responder
  ) {
    self.server = server
    self.responder = responder
    self.gate = gate
    unsafe self.frame = frame
    range = incoming.parameters
  }

  var engine: Engine { server.engine }
  var limits: WireLimits { server.limits }
  /// The caller and the owner it acts for.
  var caller: Caller { responder.caller }

  // MARK: Parameters

  /// Reads the parameters as `Parameters` and checks that the caller may make the call.
  ///
  /// Only the few calls that name a user or an origin are parsed twice.
  func read<Parameters: WireObject>(
    _ type: Parameters.Type
  ) throws(WireError) -> Parameters {
    guard gate.namesUser else { return try unsafe Parameters.read(range, of: frame) }
    let parameters: Parameters
    var user: Int64?
    var origin: String?
    do throws(WireError) {
      parameters = try unsafe Parameters.read(range, of: frame)
    } catch {
      guard error == .invalidParameter("user") || error == .invalidParameter("origin") else {
        throw error
      }
      let addressed = try unsafe Addressed<Parameters>.read(range, of: frame)
      parameters = addressed.call
      user = addressed.user
      origin = addressed.origin
    }
    try gate.pass(user, from: origin)
    return parameters
  }

  /// Refuses the call unless its caller may also perform `action`.
  func require(_ action: AdministrativeAction) throws(WireError) { try gate.require(action) }

  // MARK: Secrets

  /// Copies a secret from the parameters into wiped memory.
  func secret(_ secret: WireSecret, _ name: String) throws(WireError) -> SecretBox {
    guard let range else { throw .invalidParameter(name) }
    // SAFETY: the creator of this value keeps the frame in place while the value exists.
    let parameters = unsafe UnsafeRawBufferPointer(rebasing: frame[range])
    var count = 0
    try unsafe secret.decode(from: parameters) { _ in
      count += 1
      return count <= Self.secretSizeMax
    }
    var bytes = Secret(capacity: count)
    try unsafe secret.decode(from: parameters) { bytes.append($0) }
    return SecretBox(bytes)
  }

  /// Copies a secret that may be absent.
  func secret(_ secret: WireSecret?, _ name: String) throws(WireError) -> SecretBox? {
    guard let secret else { return nil }
    let box: SecretBox = try self.secret(secret, name)
    return box
  }

  /// Decodes a base64 secret into wiped memory; returns nil if it is longer than `limit` bytes.
  func data(
    _ secret: WireSecret,
    _ name: String,
    limit: Int
  ) throws(WireError) -> SecretBox? {
    guard let range else { throw .invalidParameter(name) }
    // SAFETY: the creator of this value keeps the frame in place while the value exists.
    let parameters = unsafe UnsafeRawBufferPointer(rebasing: frame[range])
    do throws(WireError) {
      let count = try unsafe secret.base64Size(in: parameters)
      guard count <= limit else { return nil }
      var bytes = Secret(capacity: count)
      try unsafe secret.decodeBase64(from: parameters) { bytes.append($0) }
      return SecretBox(bytes)
    } catch {
      throw .invalidParameter(name)
    }
  }

  // MARK: Requests

  /// How long to wait for answers; 30 s by default.
  func timeout(_ milliseconds: Int64?) throws(WireError) -> Duration {
    let timeout = Duration.milliseconds(milliseconds ?? 30_000)
    guard timeout > .zero, timeout <= limits.timeoutMax else {
      throw .invalidParameter("timeoutMilliseconds")
    }
    return timeout
  }

  /// The script that stands in for a person; its caller must be allowed to drive the device.
  func script(_ text: WireSecret?, isArgument: Bool?) throws(WireError) -> ScriptSource? {
    guard let text = try secret(text, "script") else { return nil }
    try require(.drive)
    return ScriptSource(text: text, isArgument: isArgument ?? true)
  }

  // MARK: Answers

  /// Sends the last reply.
  func reply(_ parameters: some WireObject) { responder.reply(parameters) }

  /// Sends the result of `body` as the last reply, or the error that it throws.
  func reply(with body: () throws(EngineError) -> some WireObject) {
    do throws(EngineError) {
      responder.reply(try body())
    } catch {
      responder.fail(error)
    }
  }

  /// Sends a reply for each report of a watch until its caller hangs up, or one for now.
  ///
  /// - Parameters:
  ///   - device: The device as the caller named it.
  ///   - now: What is sent to a caller that wants one reply.
  ///   - reply: What is sent for a report.
  ///   - begin: Begins the watch, which reports nil once the device is gone; returns what ends it.
  func watch<Report, Reply: WireObject>(
    _ device: String?,
    now: () throws(EngineError) -> Reply,
    reply: @escaping (Report) -> Reply,
    begin: (@escaping (Report?) -> Void) throws(EngineError) -> () -> Void
  ) {
    let (responder, unreadMax) = (responder, limits.unreadEventBytesMax)
    do throws(EngineError) {
      guard responder.more else { return responder.reply(try now()) }
      responder.onCancel = try begin { report in
        guard let report else { return responder.fail(.deviceNotFound(device ?? "default")) }
        responder.replyContinuing(reply(report))
        // Who does not read is not told, and has to know that.
        if responder.unreadBytes > unreadMax { responder.drop() }
      }
    } catch { responder.fail(error) }
  }
}

extension Call {
  /// The device that the call is about.
  func device(_ name: String?, _ allowSimulated: Bool?) -> CallerDevice {
    CallerDevice(of: name, allowsSimulated: allowSimulated ?? false, caller)
  }

  /// What the service is asked about an access group.
  func request(_ target: GroupTarget) throws(WireError) -> GroupRequest {
    var request = GroupRequest(
      of: target.device,
      target.group,
      groups: responder.entitlement.accessGroups
    )
    request.allowsSimulated = target.allowSimulated ?? false
    if let number = target.writer {
      guard let writer = UInt64(exactly: number) else { throw .invalidParameter("writer") }
      request.writer = writer
    }
    return request
  }
}
