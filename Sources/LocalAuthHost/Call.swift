import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

/// One call while its handler runs: the service, what was sent, and where the answers go.
///
/// It cannot be copied, so that nothing keeps the frame, which is wiped when the handler returns:
/// what answers later keeps the responder.
@safe
struct Call: ~Copyable {
  let server: Server
  let responder: Responder
  private let gate: CallGate
  private let frame: UnsafeRawBufferPointer
  /// Where in the frame the parameters stand; nil when there are none.
  private let range: Range<Int>?

  /// The longest secret that is taken, in bytes: a script.
  private static let secretSizeMax = 65_536

  /// The call that stands in `frame`, which must stay in place while the value exists.
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
  /// Who calls, and for whom.
  var caller: Caller { responder.caller }

  // MARK: Parameters

  /// Reads them as `Parameters`, and lets the call through where its caller may make it.
  ///
  /// Only the few calls that name a user or an origin are read twice.
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

  /// Refuses the call unless its caller may do this too.
  func require(_ action: AdministrativeAction) throws(WireError) { try gate.require(action) }

  // MARK: Secrets

  /// Copies a secret among the parameters into wiped memory.
  func secret(_ secret: WireSecret, _ name: String) throws(WireError) -> SecretBox {
    guard let range else { throw .invalidParameter(name) }
    // SAFETY: whoever made this value keeps the frame in place while it exists.
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

  /// Copies what was sent as base64 into wiped memory; nil where it is more than `limit` bytes.
  func data(
    _ secret: WireSecret,
    _ name: String,
    limit: Int
  ) throws(WireError) -> SecretBox? {
    guard let range else { throw .invalidParameter(name) }
    // SAFETY: whoever made this value keeps the frame in place while it exists.
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

  /// How long to wait for answers; 30 s where the call does not say.
  func timeout(_ milliseconds: Int64?) throws(WireError) -> Duration {
    let timeout = Duration.milliseconds(milliseconds ?? 30_000)
    guard timeout > .zero, timeout <= limits.timeoutMax else {
      throw .invalidParameter("timeoutMilliseconds")
    }
    return timeout
  }

  /// The events in place of a person, from a caller who may drive the device.
  func script(_ text: WireSecret?, isArgument: Bool?) throws(WireError) -> ScriptSource? {
    guard let text = try secret(text, "script") else { return nil }
    try require(.drive)
    return ScriptSource(text: text, isArgument: isArgument ?? true)
  }

  // MARK: Answers

  /// Sends the last reply.
  func reply(_ parameters: some WireObject) { responder.reply(parameters) }

  /// Sends what `body` gives as the last reply, or its error.
  func reply(with body: () throws(EngineError) -> some WireObject) {
    do throws(EngineError) {
      responder.reply(try body())
    } catch {
      responder.fail(error)
    }
  }
}
