/// The meaning of a key press.
public enum Key: Equatable, Sendable {
  /// A character, as one Unicode scalar.
  case scalar(Unicode.Scalar)
  case enter
  case backspace
  /// Ctrl-U: clear the answer.
  case clear
  /// Tab or Ctrl-F: use the fallback.
  case fallback
  /// Esc alone, Ctrl-C or Ctrl-D.
  case cancel
  /// Nothing to act on: part of a character, or an ignored key such as an arrow key.
  case nothing
}

/// Turns the bytes a terminal sends into keys.
///
/// Swallows arrow keys and other escape sequences, including the marks around a bracketed paste. A
/// lone Esc begins like a sequence and only time tells them apart, which the caller measures: if
/// ``isWaiting`` and no byte arrives within ``escapeTimeoutMilliseconds``, it calls
/// ``escapeTimedOut()``. Bytes that are not UTF-8 are dropped.
public struct KeyReader: Sendable {
  /// How long to wait for the rest of an escape sequence.
  ///
  /// A terminal sends a sequence in one write; 50 ms allow for a slow line and are not noticeable.
  public static let escapeTimeoutMilliseconds: Int32 = 50

  private enum State {
    case ground
    /// After Esc.
    case escape
    /// In a control sequence, `ESC [ … final`; `isFirst` until its first byte has arrived.
    case controlSequence(isFirst: Bool)
    /// One more byte belongs to the sequence.
    case lastByte
    /// In a string sent by the terminal, up to BEL or `ESC \`.
    case string
    /// Inside a character: the bits so far, the continuation bytes to come, and the least scalar
    /// that needs that many bytes.
    case character(bits: UInt32, remaining: Int, minimum: UInt32)
  }

  private var state = State.ground

  /// Creates a reader that expects the start of a key.
  public init() {}

  /// Whether the caller has to measure time for the next key.
  public var isWaiting: Bool {
    switch state {
    case .escape, .controlSequence, .lastByte, .string: true
    case .ground, .character: false
    }
  }

  /// Ends a sequence on time-out: a lone Esc is a cancel, a partial sequence is nothing.
  public mutating func escapeTimedOut() -> Key {
    switch state {
    case .escape:
      state = .ground
      return .cancel
    case .controlSequence, .lastByte, .string:
      state = .ground
      return .nothing
    case .ground, .character:
      return .nothing
    }
  }

  /// Takes the next byte and returns the key it completes.
  public mutating func take(_ byte: UInt8) -> Key {
    switch state {
    case .ground:
      return takeAtGround(byte)
    case .escape:
      return takeAfterEscape(byte)
    case .controlSequence(let isFirst):
      return takeInControlSequence(byte, isFirst: isFirst)
    case .lastByte:
      state = .ground
      return .nothing
    case .string:
      if byte == 0x1B { state = .lastByte } else if byte == 0x07 { state = .ground }
      return .nothing
    case .character(let bits, let remaining, let minimum):
      return takeInCharacter(byte, bits: bits, remaining: remaining, minimum: minimum)
    }
  }

  private mutating func takeAtGround(_ byte: UInt8) -> Key {
    switch byte {
    case 0x0A, 0x0D: return .enter
    case 0x08, 0x7F: return .backspace
    case 0x15: return .clear
    case 0x09, 0x06: return .fallback
    case 0x03, 0x04: return .cancel
    case 0x1B:
      state = .escape
      return .nothing
    case 0x20...0x7E: return .scalar(Unicode.Scalar(byte))
    case 0xC2...0xDF: return begin(bits: byte & 0x1F, remaining: 1, minimum: 0x80)
    case 0xE0...0xEF: return begin(bits: byte & 0x0F, remaining: 2, minimum: 0x800)
    case 0xF0...0xF4: return begin(bits: byte & 0x07, remaining: 3, minimum: 0x1_0000)
    default: return .nothing
    }
  }

  private mutating func begin(bits: UInt8, remaining: Int, minimum: UInt32) -> Key {
    state = .character(bits: UInt32(bits), remaining: remaining, minimum: minimum)
    return .nothing
  }

  private mutating func takeAfterEscape(_ byte: UInt8) -> Key {
    switch byte {
    case UInt8(ascii: "["):
      state = .controlSequence(isFirst: true)
    case UInt8(ascii: "O"):
      state = .lastByte
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      state = .string
    case 0x1B, 0x03, 0x04:
      // A second Esc settles it without a time-out; Ctrl-C and Ctrl-D cancel in any state.
      state = .ground
      return .cancel
    default:
      // Alt plus a key.
      state = .ground
    }
    return .nothing
  }

  private mutating func takeInControlSequence(_ byte: UInt8, isFirst: Bool) -> Key {
    switch byte {
    case 0x20...0x3F:
      state = .controlSequence(isFirst: false)
    case UInt8(ascii: "[") where isFirst:
      // The Linux console's function keys: `ESC [ [ A`.
      state = .lastByte
    case 0x40...0x7E:
      state = .ground
    default:
      // The sequence is broken off; the byte begins a new key.
      state = .ground
      return takeAtGround(byte)
    }
    return .nothing
  }

  private mutating func takeInCharacter(
    _ byte: UInt8,
    bits: UInt32,
    remaining: Int,
    minimum: UInt32
  ) -> Key {
    guard byte & 0xC0 == 0x80 else {
      state = .ground
      return takeAtGround(byte)
    }
    let bits = bits << 6 | UInt32(byte & 0x3F)
    guard remaining == 1 else {
      state = .character(bits: bits, remaining: remaining - 1, minimum: minimum)
      return .nothing
    }
    state = .ground
    guard bits >= minimum, bits > 0x9F, let scalar = Unicode.Scalar(bits) else { return .nothing }
    return .scalar(scalar)
  }
}
