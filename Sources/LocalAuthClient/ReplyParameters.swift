public import LocalAuthSecret
public import LocalAuthWire

/// The parameters of one reply while its frame exists.
///
/// Secrets among them are copied into secret memory before the frame is wiped.
@safe
public struct ReplyParameters {
  private let bytes: UnsafeRawBufferPointer

  @unsafe
  init(_ range: Range<Int>?, of frame: UnsafeRawBufferPointer) {
    unsafe bytes = UnsafeRawBufferPointer(rebasing: frame[range ?? 0..<0])
  }

  /// Decodes a base64 secret into secret memory.
  ///
  /// - Throws: `WireError` for text that is not strict base64.
  public func data(_ secret: WireSecret) throws(WireError) -> SecretBox {
    // SAFETY: the creator of this value keeps the frame in place while the value is used.
    var data = Secret(capacity: try unsafe secret.base64Size(in: bytes))
    try unsafe secret.decodeBase64(from: bytes) { data.append($0) }
    return SecretBox(data)
  }
}
