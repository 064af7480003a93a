import Glibc
import LocalAuthCore
import LocalAuthRNCryptor
import LocalAuthSecret
import LocalAuthTerminal

/// What opens a message: a password, or the two keys themselves, which come from no command line.
enum MessageSecret: ~Copyable {
  case password(Secret)
  case keys(MessageKeys)

  static let stdin = Flag("password-stdin", help: "read the password from standard input")
  static let descriptor = Option<Int?>(
    "password-fd",
    "N",
    help: "read the password from this open descriptor"
  )
  static let keys = Option<String?>(
    "keys",
    "FILE",
    source: .files,
    help: "use the two keys in this file, and no password"
  )
  static let keysDescriptor = Option<Int?>(
    "keys-fd",
    "N",
    help: "read the two keys from this open descriptor"
  )

  static var options: [OptionDeclaration] {
    [stdin.declaration, descriptor.declaration, keys.declaration, keysDescriptor.declaration]
  }
  static let exclusions = [["password-stdin", "password-fd", "keys", "keys-fd"]]

  /// What the command line says that there is.
  static func credential(_ arguments: ParsedArguments) -> MessageCredential {
    arguments[keys] != nil || arguments[keysDescriptor] != nil ? .keys : .password
  }

  /// Whether it is read from standard input.
  static func takesStandardInput(_ arguments: ParsedArguments) -> Bool {
    arguments[stdin]
      || [arguments[descriptor], arguments[keysDescriptor]].contains(Int(STDIN_FILENO))
  }

  /// Reads what the command line names, or asks for a password; a new one is typed twice.
  init(_ context: VerbContext, isNew: Bool) throws(Failure) {
    switch Self.credential(context.arguments) {
    case .keys: self = .keys(try Self.givenKeys(context.arguments))
    case .password: self = .password(try Self.password(context, isNew: isNew))
    }
  }

  /// The keys of a message with this header, whose credential is this secret's.
  consuming func keys(for header: MessageHeader) -> MessageKeys {
    switch consume self {
    case .password(let password): MessageKeys(password: password, for: header)
    case .keys(let keys): keys
    }
  }

  // MARK: Passwords

  private static func password(_ context: VerbContext, isNew: Bool) throws(Failure) -> Secret {
    let password = try context.secret(
      stdin,
      descriptor,
      isText: false,
      orElse: "The password is needed and there is no terminal to ask on. Give --password-fd N."
    ) { (session) throws(SecretInputError) in
      isNew
        ? try session.readNewSecret(prompt: "New password of the message", again: "The same again")
        : try session.readSecret(prompt: "Password of the message")
    }
    guard password.count > 0 else {
      throw Failure(.usage, "A message needs a password that is not empty. Nothing was written.")
    }
    return password
  }

  // MARK: Keys

  /// The most bytes of a file with keys: digits, and blanks between them.
  private static let keysLimit = 1024

  private static func givenKeys(_ arguments: ParsedArguments) throws(Failure) -> MessageKeys {
    let text: Secret
    if let path = arguments[keys] {
      text = try SecretFile.read(path: path, as: "key", limit: keysLimit)
    } else {
      let number = Int32(clamping: arguments[keysDescriptor] ?? Int(STDIN_FILENO))
      guard isatty(number) == 0 else {
        throw Failure(.usage, "The keys would come from a terminal: give a file or a pipe.")
      }
      text = try SecretFile.read(number, as: "key", limit: keysLimit)
    }
    guard let keys = MessageKeys(text) else {
      throw Failure(
        .usage,
        "The keys are 64 bytes, the encryption key and then the HMAC key, or as many in hexadecimal. "
          + "Nothing was written."
      )
    }
    return keys
  }
}

extension MessageKeys {
  /// The keys that stand one behind the other in `text`: as they are, or in hexadecimal with blanks and line ends; nil for
  /// anything else.
  ///
  /// What has nothing but digits is hexadecimal, so that one key alone in digits is not taken for two in bytes.
  init?(_ text: borrowing Secret) {
    let size = MessageFormat.keySize
    var both = Secret(capacity: 2 * size)
    // SAFETY: the bytes are only read within the call.
    let isWhole = unsafe text.withUnsafeBytes { text -> Bool in
      let isDigits = unsafe text.allSatisfy { $0.isBlank || $0.hexadecimalDigit != nil }
      var high: UInt8?
      for index in text.indices {
        var byte = unsafe text[index]
        if isDigits {
          guard let digit = byte.hexadecimalDigit else { continue }
          guard let first = high else {
            high = digit
            continue
          }
          high = nil
          byte = first << 4 | digit
        }
        guard both.append(byte) else { return false }
      }
      return high == nil
    }
    guard isWhole, both.count == 2 * size else { return nil }
    // SAFETY: the bytes are copied within the call.
    self = unsafe both.withUnsafeBytes { bytes in
      unsafe MessageKeys(
        encryption: Secret(copying: bytes.prefix(size)),
        mac: Secret(copying: bytes.suffix(size))
      )
    }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { " \t\r\n".utf8.contains(self) }
}
