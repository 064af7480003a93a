import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthWire

/// The parameters of one call, for as long as its frame exists: until the handler returns.
@safe
struct CallParameters {
  private let frame: UnsafeRawBufferPointer
  private let range: Range<Int>?
  private let gate: CallGate

  /// The longest secret that is taken, in bytes: a script.
  private static let secretSizeMax = 65_536

  @unsafe
  init(_ range: Range<Int>?, of frame: UnsafeRawBufferPointer, through gate: CallGate) {
    self.range = range
    self.gate = gate
    unsafe self.frame = frame
  }

  /// Reads them as `Parameters`, and lets the call through where its caller may make it.
  ///
  /// Each handler does so first; until then nobody knows whose devices are meant. Only the few calls
  /// that name a user or an origin are read twice.
  func read<Parameters: WireObject>(
    _ type: Parameters.Type
  ) throws(WireError) -> Parameters {
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

  /// Reads the parameters of a method that is about nobody's devices.
  func readUnaddressed<Parameters: WireObject>(
    _ type: Parameters.Type
  ) throws(WireError) -> Parameters {
    try unsafe Parameters.read(range, of: frame)
  }

  /// Refuses the call unless its caller may do this too.
  func require(_ act: AdministrativeAct) throws(WireError) { try gate.require(act) }

  /// Copies a secret among them into wiped memory.
  func secret(_ secret: WireSecret, _ name: String) throws(WireError) -> SecretBox {
    guard let range else { throw .invalidParameter(name) }
    // SAFETY: whoever made this value keeps the frame in place while it is used.
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

  /// Copies what was sent as base64 into wiped memory; nil where it is more than `limit` bytes.
  func data(
    _ secret: WireSecret,
    _ name: String,
    limit: Int
  ) throws(WireError) -> SecretBox? {
    guard let range else { throw .invalidParameter(name) }
    // SAFETY: whoever made this value keeps the frame in place while it is used.
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

  /// Copies a secret that may be absent.
  func secret(_ secret: WireSecret?, _ name: String) throws(WireError) -> SecretBox? {
    guard let secret else { return nil }
    let box: SecretBox = try self.secret(secret, name)
    return box
  }
}
