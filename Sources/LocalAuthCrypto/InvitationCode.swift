public import LocalAuthCore
public import LocalAuthSecret
import LocalAuthSync

/// The code of an invitation: 128 random bits, which make and verify codes over what a joining device posts.
///
/// Any thread may use it. Its bits are wiped with it.
public final class InvitationCode: RecordTagger {
  private static let bitsSize = 16
  let key: Secret

  private init(trusted key: consuming Secret) { self.key = key }

  /// A new code.
  public static func generate() -> InvitationCode {
    var bits = DeviceKey.randomBytes()
    // SAFETY: the secret is longer, and what is behind the bits is wiped.
    unsafe bits.withUnsafeMutableBytes { _, count in count = bitsSize }
    return InvitationCode(trusted: bits)
  }

  /// Reads what a person typed: 26 characters, and separators.
  ///
  /// - Returns: nil for anything else.
  public convenience init?(typed text: borrowing Secret) {
    guard let values = PrintedSecret.values(text, count: PrintedCode.invitationSize),
      let bits = PrintedSecret.bytes(values, Self.bitsSize)
    else { return nil }
    self.init(trusted: bits)
  }

  /// The 26 characters, in groups of four.
  public var printed: Secret { PrintedSecret.text(PrintedSecret.values(ofBytes: key)) }

  /// The code over `message`, HMAC-SHA256.
  public func tag(over message: [UInt8]) -> [UInt8] { MessageCode.tag(over: message, key: key) }

  /// Whether `tag` is the code over `message`, compared in constant time.
  public func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool {
    KeyedHash.areEqual(tag, self.tag(over: message))
  }
}

/// A recovery key on paper: 130 random bits, and two characters that check them.
public struct RecoveryKey: ~Copyable, Sendable {
  /// The five bits of each random character.
  private let values: Secret

  /// A new key.
  public static func generate() -> RecoveryKey {
    let random = DeviceKey.randomBytes()
    var values = Secret(capacity: PrintedCode.recoveryRandomSize)
    // SAFETY: the bytes are read while they are lent.
    unsafe random.withUnsafeBytes { bytes in
      for index in 0..<PrintedCode.recoveryRandomSize {
        _ = unsafe values.append(bytes[index] & 31)
      }
    }
    return RecoveryKey(values: values)
  }

  private init(values: consuming Secret) { self.values = values }

  /// Reads what a person typed: 28 characters, and separators.
  ///
  /// - Returns: nil for anything else, and if the last two do not fit.
  public init?(typed text: borrowing Secret) {
    guard var typed = PrintedSecret.values(text, count: PrintedCode.recoverySize) else {
      return nil
    }
    var check = PrintedCheck()
    // SAFETY: the values are read while they are lent.
    let isRight = unsafe typed.withUnsafeBytes { bytes in
      for index in 0..<PrintedCode.recoveryRandomSize { unsafe check.add(bytes[index]) }
      return unsafe (bytes[26], bytes[27]) == check.values
    }
    guard isRight else { return nil }
    typed.removeLast()
    typed.removeLast()
    values = typed
  }

  /// The 28 characters, in seven groups of four.
  public var printed: Secret {
    var all = Secret(capacity: PrintedCode.recoverySize)
    var check = PrintedCheck()
    all.append(contentsOf: values)
    // SAFETY: the values are read while they are lent.
    unsafe values.withUnsafeBytes { bytes in
      for index in 0..<bytes.count { unsafe check.add(bytes[index]) }
    }
    _ = all.append(check.values.0)
    _ = all.append(check.values.1)
    return PrintedSecret.text(all)
  }

  /// The seed of the key that the paper signs with; nil if memory is short.
  public func signingSeed() -> Secret? { SyncKeys.derive(values, "recovery signing") }

  /// The private half of the key that shares are sealed to; nil if memory is short.
  public func agreementSeed() -> Secret? { SyncKeys.derive(values, "recovery agreement") }

  /// The password of its role at the hub; nil if memory is short.
  public func hubPassword() -> HubPassword? {
    guard let key = SyncKeys.derive(values, "recovery hub password") else { return nil }
    return HubPassword(key: key)
  }

  /// The code over `message`, HMAC-SHA256; nil if memory is short.
  public func tag(over message: [UInt8]) -> [UInt8]? {
    guard let key = SyncKeys.derive(values, "recovery offer") else { return nil }
    return MessageCode.tag(over: message, key: key)
  }

  /// Whether `tag` is the code over `message`, compared in constant time.
  public func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool {
    guard let own = self.tag(over: message) else { return false }
    return KeyedHash.areEqual(tag, own)
  }
}

/// Codes in wiped memory, character by character.
private enum PrintedSecret {
  /// The five bits of each character that was typed; nil unless there are `count`.
  static func values(_ text: borrowing Secret, count: Int) -> Secret? {
    var values = Secret(capacity: count)
    // SAFETY: the characters are read while they are lent.
    let isCode = unsafe text.withUnsafeBytes { bytes in
      for index in 0..<bytes.count {
        let character = unsafe bytes[index]
        if PrintedCode.isSeparator(character) { continue }
        guard let value = PrintedCode.value(character), values.append(value) else { return false }
      }
      return true
    }
    guard isCode, values.count == count else { return nil }
    return values
  }

  /// Five bits at a time, the first ones first; the last character is filled up with zeros.
  static func values(ofBytes bytes: borrowing Secret) -> Secret {
    var values = Secret(capacity: (bytes.count * 8 + 4) / 5)
    // SAFETY: the bytes are read while they are lent.
    unsafe bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count * 8, by: 5) {
        var value: UInt8 = 0
        for bit in start..<start + 5 {
          let isSet = bit < bytes.count * 8 ? unsafe bytes[bit / 8] >> (7 - bit % 8) & 1 : 0
          value = value << 1 | isSet
        }
        _ = values.append(value)
      }
    }
    return values
  }

  /// The bytes of such values; nil if what fills the last one up is not zero.
  static func bytes(_ values: borrowing Secret, _ count: Int) -> Secret? {
    var bytes = Secret(capacity: count)
    var held: UInt16 = 0
    var bits = 0
    // SAFETY: the values are read while they are lent.
    unsafe values.withUnsafeBytes { values in
      for index in 0..<values.count {
        held = unsafe held << 5 | UInt16(values[index])
        bits += 5
        guard bits >= 8, bytes.count < count else { continue }
        bits -= 8
        _ = bytes.append(UInt8(truncatingIfNeeded: held >> UInt16(bits)))
        held &= (1 << UInt16(bits)) - 1
      }
    }
    guard bytes.count == count, held == 0 else { return nil }
    return bytes
  }

  /// The characters, in groups of four.
  static func text(_ values: borrowing Secret) -> Secret {
    var text = Secret(capacity: values.count + values.count / PrintedCode.groupSize)
    // SAFETY: the values are read while they are lent.
    unsafe values.withUnsafeBytes { values in
      for index in 0..<values.count {
        if index > 0, index.isMultiple(of: PrintedCode.groupSize) {
          _ = text.append(UInt8(ascii: "-"))
        }
        _ = unsafe text.append(PrintedCode.character(values[index]))
      }
    }
    return text
  }
}
