public import LocalAuthCore
public import LocalAuthKeychain
import LocalAuthSecret

/// Values other than ``Secret``: convenient, but copied into memory that is not wiped.
extension Keychain {
  // MARK: Text, bytes, dates

  /// Stores a text, as ``set(_:for:accessControl:reason:)-(Secret,_,_,_)`` stores a secret.
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

  /// Returns the text of an account; nil if there is none.
  ///
  /// - Throws: ``KeychainFailure/undecodable(_:)`` for data that is not UTF-8; otherwise as
  ///   ``secret(for:reason:)``.
  public func string(
    for account: String,
    reason: String? = nil
  ) async throws(KeychainFailure) -> String? {
    guard let secret = try await secret(for: account, reason: reason) else { return nil }
    // SAFETY: the bytes are copied within the closure, while the pointer is valid.
    let text = unsafe secret.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    guard let text else { throw .undecodable("text in UTF-8") }
    return text
  }

  /// Stores bytes, as ``set(_:for:accessControl:reason:)-(Secret,_,_,_)`` stores a secret.
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

  /// Returns the bytes of an account; nil if there are none.
  ///
  /// - Throws: as ``secret(for:reason:)``.
  public func bytes(
    for account: String,
    reason: String? = nil
  ) async throws(KeychainFailure) -> [UInt8]? {
    guard let secret = try await secret(for: account, reason: reason) else { return nil }
    // SAFETY: the bytes are copied within the closure, while the pointer is valid.
    return unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }

  /// Stores a time in milliseconds, as ``set(_:for:accessControl:reason:)-(Secret,_,_,_)`` stores a
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

  /// Returns the time of an account; nil if there is none.
  ///
  /// - Throws: ``KeychainFailure/undecodable(_:)`` for data that was not stored as a time;
  ///   otherwise as ``secret(for:reason:)``.
  public func date(
    for account: String,
    reason: String? = nil
  ) async throws(KeychainFailure) -> WallInstant? {
    guard let text = try await string(for: account, reason: reason) else { return nil }
    guard let milliseconds = Int64(text) else { throw .undecodable("a time") }
    return WallInstant(milliseconds: milliseconds)
  }

  // MARK: Codable

  /// Stores a value, as ``set(_:for:accessControl:reason:)-(Secret,_,_,_)`` stores a secret.
  ///
  /// - Parameters:
  ///   - value: any value, such as an array, a set or a dictionary.
  ///   - account: the account.
  ///   - encoder: encodes the value, see ``ItemEncoder``.
  ///   - accessControl: as for a secret.
  ///   - reason: the reason shown to the person; nil for the context's.
  /// - Throws: ``KeychainFailure/undecodable(_:)`` if the encoder rejects the value; otherwise as
  ///   for a secret.
  public func set<Value: Encodable>(
    _ value: Value,
    for account: String,
    with encoder: some ItemEncoder,
    accessControl: AccessControl? = nil,
    reason: String? = nil
  ) async throws(KeychainFailure) {
    // The encoder's error is dropped, because it may quote the value.
    guard let encoded = try? encoder.encode(value) else {
      throw .undecodable("made of a value of type \(Value.self)")
    }
    let secret = Secret(copying: Array(encoded))
    try await set(secret, for: account, accessControl: accessControl, reason: reason)
  }

  /// Returns the value of an account; nil if there is none.
  ///
  /// - Parameters:
  ///   - type: its type.
  ///   - account: the account.
  ///   - decoder: decodes the value, see ``ItemDecoder``.
  ///   - reason: the reason shown to the person; nil for the context's.
  /// - Returns: the value; nil if there is none.
  /// - Throws: ``KeychainFailure/undecodable(_:)`` if the decoder rejects the bytes; otherwise as
  ///   ``secret(for:reason:)``.
  public func value<Value: Decodable, Decoder: ItemDecoder>(
    _ type: Value.Type = Value.self,
    for account: String,
    with decoder: Decoder,
    reason: String? = nil
  ) async throws(KeychainFailure) -> Value? {
    guard let secret = try await secret(for: account, reason: reason) else { return nil }
    // SAFETY: the bytes are copied within the closure, while the pointer is valid.
    let bytes = unsafe secret.withUnsafeBytes { unsafe Decoder.Input($0) }
    guard let value = try? decoder.decode(type, from: bytes) else {
      throw .undecodable("a value of type \(Value.self)")
    }
    return value
  }
}

/// Turns values into bytes.
///
/// LocalAuth has no format of its own, so that other programs can read the items. Foundation's
/// encoders already have the required methods:
///
/// ```swift
/// extension JSONEncoder: @retroactive ItemEncoder {}
/// extension JSONDecoder: @retroactive ItemDecoder {}
/// try await keychain.set(["ann", "bob"], for: "friends", with: JSONEncoder())
/// ```
public protocol ItemEncoder {
  /// The type of the encoded bytes: Foundation's `Data`, or an array.
  associatedtype Output: Sequence<UInt8>
  /// Returns the bytes of a value.
  func encode<Value: Encodable>(_ value: Value) throws -> Output
}

/// Turns bytes back into values, see ``ItemEncoder``.
public protocol ItemDecoder {
  /// The type of the bytes it reads: Foundation's `Data`, or an array.
  associatedtype Input: RangeReplaceableCollection<UInt8>
  /// Returns the value that the bytes encode.
  func decode<Value: Decodable>(_ type: Value.Type, from input: Input) throws -> Value
}
