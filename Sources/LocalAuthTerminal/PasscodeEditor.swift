public import LocalAuthSecret

/// Collects a typed answer in secret memory.
///
/// It also runs when no answer is asked for, to interpret the keys that cancel or fall back;
/// characters are then shortcuts and never stored.
public struct PasscodeEditor: ~Copyable {
  /// What the caller has to do after a byte.
  public enum Action: Equatable, Sendable {
    case nothing
    /// The answer has changed.
    case edited
    /// The answer is full; the character was dropped.
    case full
    /// The answer is complete.
    case submitted
    case cancelled
    /// The user chose the fallback.
    case fallback
  }

  /// The default limit for an answer, in bytes: PAM's own limit for a response.
  public static let defaultLimit = 512

  /// Whether an answer is being asked for.
  public private(set) var isAsking = false
  /// The number of characters typed, as Unicode scalars.
  public private(set) var length = 0
  private var keys = KeyReader()
  private var answer: Secret

  /// Creates an editor for answers of up to `limit` bytes.
  public init(limit: Int = PasscodeEditor.defaultLimit) {
    answer = Secret(capacity: limit)
  }

  /// Whether to call ``escapeTimedOut()`` after `KeyReader.escapeTimeoutMilliseconds` without
  /// input.
  public var isWaiting: Bool { keys.isWaiting }

  /// Drops what was typed, and starts a new answer if `asking`.
  public mutating func begin(asking: Bool) {
    isAsking = asking
    clear()
    keys = KeyReader()
  }

  /// Takes a typed byte.
  public mutating func take(_ byte: UInt8) -> Action {
    perform(keys.take(byte))
  }

  /// Reports that no byte followed within the time of an escape sequence.
  public mutating func escapeTimedOut() -> Action {
    perform(keys.escapeTimedOut())
  }

  /// Hands over the answer and starts an empty one.
  public mutating func takeAnswer() -> Secret {
    var taken = Secret(capacity: answer.capacity)
    swap(&taken, &answer)
    length = 0
    return taken
  }

  /// The answer as text, for a question whose answer is shown while it is typed.
  ///
  /// Such an answer may be a user name, never a secret.
  public func visibleAnswer() -> String {
    // SAFETY: the bytes are read within the call.
    unsafe answer.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  private mutating func perform(_ key: Key) -> Action {
    switch key {
    case .nothing: .nothing
    case .cancel: .cancelled
    case .fallback: .fallback
    case .scalar(let scalar): isAsking ? append(scalar) : shortcut(scalar)
    case .enter: isAsking ? .submitted : .nothing
    case .backspace: isAsking ? removeLast() : .nothing
    case .clear: isAsking ? clear() : .nothing
    }
  }

  private func shortcut(_ scalar: Unicode.Scalar) -> Action {
    switch scalar {
    case "q": .cancelled
    case "f": .fallback
    default: .nothing
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) -> Action {
    let bytes = scalar.utf8
    guard answer.count + bytes.count <= answer.capacity else { return .full }
    for byte in bytes { _ = answer.append(byte) }
    length += 1
    return .edited
  }

  private mutating func removeLast() -> Action {
    guard length > 0 else { return .nothing }
    length -= 1
    while endsInContinuationByte { answer.removeLast() }
    answer.removeLast()
    return .edited
  }

  private var endsInContinuationByte: Bool {
    // SAFETY: the last byte is read within the call.
    unsafe answer.withUnsafeBytes { bytes in
      guard let last = unsafe bytes.last else { return false }
      return last & 0xC0 == 0x80
    }
  }

  @discardableResult
  private mutating func clear() -> Action {
    answer.removeAll()
    length = 0
    return .edited
  }
}
