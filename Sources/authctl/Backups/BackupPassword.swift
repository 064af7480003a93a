import LocalAuthBackup
import LocalAuthCore
import LocalAuthSecret
import LocalAuthTerminal

/// The password of a backup: typed, given, or made.
enum BackupPassword {
  static let stdin = Flag("password-stdin", help: "read the backup's password from standard input")
  static let descriptor = Option<Int?>(
    "password-fd",
    "N",
    help: "read the backup's password from this open descriptor"
  )
  static let options = [stdin.declaration, descriptor.declaration]
  static let exclusions = [["password-stdin", "password-fd"]]

  /// Fails if the passcode is to come from standard input, too.
  static func checkIsAlone(_ arguments: ParsedArguments) throws(Failure) {
    guard !arguments[stdin] || !arguments[PasscodeInput.passcodeStdin] else {
      throw Failure(.usage, "Standard input is the password: give the passcode with --passcode-fd.")
    }
  }

  /// How a password is made: as hard to guess as a key of 124 bits, and easy to copy by hand.
  private static let recipe = PasswordRecipe(length: 24, sets: [.lower, .digits])

  /// The password of a new backup.
  static func new(_ context: VerbContext, isMade: Bool) throws(Failure) -> Secret {
    if isMade {
      var generator = SystemRandomNumberGenerator()
      guard let password = recipe?.password(using: &generator) else {
        throw Failure(.internalError, "No password can be made.")
      }
      return password
    }
    let password = try read(context) { (session) throws(SecretInputError) in
      try session.readNewSecret(
        prompt: "New password of the backup",
        again: "The same again",
        // One that is refused is not asked for twice.
        unless: { isTooShort($0) }
      )
    }
    guard !isTooShort(password) else {
      throw Failure(
        .usage,
        "A backup's password has \(BackupFormat.passwordCharactersMin) characters or more."
      )
    }
    return password
  }

  private static func isTooShort(_ password: borrowing Secret) -> Bool {
    password.characterCount < BackupFormat.passwordCharactersMin
  }

  /// The password of a backup that there is; nil for one that a device opens.
  static func current(
    _ context: VerbContext,
    _ header: BackupHeader,
    _ path: String
  ) throws(Failure) -> Secret? {
    switch header.kind {
    case .deviceOnly:
      guard !context.arguments[stdin], context.arguments[descriptor] == nil else {
        throw Failure(.usage, "\(path) has no password, its device alone opens it: give none.")
      }
      return nil
    case .password:
      return try read(context) { (session) throws(SecretInputError) in
        try session.readSecret(prompt: "Password of the backup")
      }
    }
  }

  private static func read(
    _ context: VerbContext,
    _ ask: (inout PromptSession) throws(SecretInputError) -> Secret
  ) throws(Failure) -> Secret {
    try context.secret(
      stdin,
      descriptor,
      orElse: "The password is needed and there is no terminal to ask on. Give --password-stdin.",
      ask
    )
  }
}
