public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// Values that are no ``Secret``: convenient, and copied into memory that nobody wipes.
extension Keychain {
  // MARK: Text, bytes, dates

  /// Keeps a text, as ``set(_:for:accessControl:reason:)-(Secret,_,_,_)`` keeps a secret.
  ///
  /// - Throws: ``KeychainFailure``.
  public func set(
    _ text: String,
    for account: String,
    accessControl: AccessControl? = nil,
    reason: String? = nil
  ) async throws(KeychainFailure) {
    let secret = Secret(copying: text.utf8)
    try await set(secret, for: account, accessControl: accessControl, reason: reason)
  }

  /// The text of an account; nil where there is none.
  ///
  /// - Throws: ``KeychainFailure/undecodable(_:)`` for what is not UTF-8; otherwise as
  ///   ``secret(for:reason:)``.
  public func string(
    for account: String,
    reason: String? = nil
  ) async throws(KeychainFailure) -> String? {
    guard let secret = try await secret(for: account, reason: reason) else { return nil }
    // SAFETY: the bytes are copied while they are lent.
    let text = unsafe secret.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    guard let text else { throw .undecodable("text in UTF-8") }
    return text
  }

  /// Keeps bytes, as ``set(_:for:accessControl:reason:)-(Secret,_,_,_)`` keeps a secret.
  ///
  /// - Throws: ``KeychainFailure``.
  public func set(
    _ bytes: [UInt8],
    for account: String,
    accessControl: AccessControl? = nil,
    reason: String? = nil
  ) async throws(KeychainFailure) {
    let secret = Secret(copying: bytes)
    try await set(secret, for: account, accessControl: accessControl, reason: reason)
  }

  /// The bytes of an account; nil where there are none.
  ///
  /// - Throws: as ``secret(for:reason:)``.
  public func bytes(
    for account: String,
    reason: String? = nil
  ) async throws(KeychainFailure) -> [UInt8]? {
    guard let secret = try await secret(for: account, reason: reason) else { return nil }
    // SAFETY: the bytes are copied while they are lent.
    return unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }

  /// Keeps a time, to the millisecond, as ``set(_:for:accessControl:reason:)-(Secret,_,_,_)`` keeps a
  /// secret.
  ///
  /// - Throws: ``KeychainFailure``.
  public func set(
    _ date: WallInstant,
    for account: String,
    accessControl: AccessControl? = nil,
    reason: String? = nil
  ) async throws(KeychainFailure) {
    let text = String(date.milliseconds)
    try await set(text, for: account, accessControl: accessControl, reason: reason)
  }

  /// The time of an account; nil where there is none.
  ///
  /// - Throws: ``KeychainFailure/undecodable(_:)`` for what is no time that was kept here; otherwise as
  ///   ``secret(for:reason:)``.
  public func date(
    for account: String,
    reason: String? = nil
  ) async throws(KeychainFailure) -> WallInstant? {
    guard let text = try await string(for: account, reason: reason) else { return nil }
    guard let milliseconds = Int64(text) else { throw .undecodable("a time") }
    return WallInstant(milliseconds: milliseconds)
  }

  // MARK: Codable

  /// Keeps a value, as ``set(_:for:accessControl:reason:)-(Secret,_,_,_)`` keeps a secret.
  ///
  /// - Parameters:
  ///   - value: any value, such as an array, a set or a dictionary.
  ///   - account: whose.
  ///   - encoder: how it becomes bytes, see ``ItemEncoder``.
  ///   - accessControl: as for a secret.
  ///   - reason: why somebody is asked; nil for the context's.
  /// - Throws: ``KeychainFailure/undecodable(_:)`` where the encoder refuses the value; otherwise as for
  ///   a secret.
  public func set<Value: Encodable>(
    _ value: Value,
    for account: String,
    with encoder: some ItemEncoder,
    accessControl: AccessControl? = nil,
    reason: String? = nil
  ) async throws(KeychainFailure) {
    // What the encoder says may quote the value.
    guard let encoded = try? encoder.encode(value) else {
      throw .undecodable("made of a value of type \(Value.self)")
    }
    let secret = Secret(copying: Array(encoded))
    try await set(secret, for: account, accessControl: accessControl, reason: reason)
  }

  /// The value of an account; nil where there is none.
  ///
  /// - Parameters:
  ///   - type: what it is.
  ///   - account: whose.
  ///   - decoder: how it is read, see ``ItemDecoder``.
  ///   - reason: why somebody is asked; nil for the context's.
  /// - Returns: the value; nil where there is none.
  /// - Throws: ``KeychainFailure/undecodable(_:)`` where the decoder refuses the bytes; otherwise as
  ///   ``secret(for:reason:)``.
  public func value<Value: Decodable, Decoder: ItemDecoder>(
    _ type: Value.Type = Value.self,
    for account: String,
    with decoder: Decoder,
    reason: String? = nil
  ) async throws(KeychainFailure) -> Value? {
    guard let secret = try await secret(for: account, reason: reason) else { return nil }
    // SAFETY: the bytes are copied while they are lent.
    let bytes = unsafe secret.withUnsafeBytes { unsafe Decoder.Input($0) }
    guard let value = try? decoder.decode(type, from: bytes) else {
      throw .undecodable("a value of type \(Value.self)")
    }
    return value
  }
}

/// Turns values into bytes.
///
/// LocalAuth brings no format of its own, so that items can be read by whatever else reads them.
/// Foundation's encoders have the shape already:
///
/// ```swift
/// extension JSONEncoder: @retroactive ItemEncoder {}
/// extension JSONDecoder: @retroactive ItemDecoder {}
/// try await keychain.set(["ann", "bob"], for: "friends", with: JSONEncoder())
/// ```
public protocol ItemEncoder {
  /// What it makes: Foundation's `Data`, or an array.
  associatedtype Output: Sequence<UInt8>
  /// The bytes of a value.
  func encode<Value: Encodable>(_ value: Value) throws -> Output
}

/// Turns bytes into values, see ``ItemEncoder``.
public protocol ItemDecoder {
  /// What it reads: Foundation's `Data`, or an array.
  associatedtype Input: RangeReplaceableCollection<UInt8>
  /// The value of the bytes.
  func decode<Value: Decodable>(_ type: Value.Type, from input: Input) throws -> Value
}

extension Secret {
  /// Makes a secret of bytes; wiping the source is the caller's part.
  ///
  /// - Parameter bytes: such as those of a text, `text.utf8`.
  public init(copying bytes: some Collection<UInt8>) {
    self.init(capacity: bytes.count)
    for byte in bytes where !append(byte) { return }
  }
}
