import LocalAuthSecret
import LocalAuthWire

/// The parameters of one call, for as long as its frame exists: until the handler returns.
@safe
struct CallParameters {
  private let frame: UnsafeRawBufferPointer
  private let range: Range<Int>?

  /// The longest secret that is taken, in bytes: a script.
  private static let secretSizeMax = 65_536

  @unsafe
  init(_ range: Range<Int>?, of frame: UnsafeRawBufferPointer) {
    self.range = range
    unsafe self.frame = frame
  }

  /// Reads them as `Parameters`.
  func read<Parameters: WireObject>(
    _ type: Parameters.Type
  ) throws(WireError) -> Parameters {
    try unsafe Parameters.read(range, of: frame)
  }

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
      var count = 0
      try unsafe secret.decodeBase64(from: parameters) { _ in
        count += 1
        return true
      }
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
