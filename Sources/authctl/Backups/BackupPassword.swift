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
    return try read(context) { (session) throws(SecretInputError) in
      try session.readNewSecret(prompt: "New password of the backup", again: "The same again")
    }
  }

  /// The password of a backup that there is; nil for one that a device opens.
  static func current(_ context: VerbContext, _ header: BackupHeader) throws(Failure) -> Secret? {
    switch header.kind {
    case .deviceOnly: nil
    case .password:
      try read(context) { (session) throws(SecretInputError) in
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
