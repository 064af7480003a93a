extension Methods {
  private static let program = AuthenticatorMessages.interface

  // MARK: io.localauth.Authenticators

  /// Lists the authenticators that are programs of their own.
  public static let listAuthenticators: Method<Empty, AuthenticatorListMessages.ListReply> =
    .init(AuthenticatorListMessages.interface, "List", by: .owner, .once, judging: [])

  static let ofAuthenticators: [any AnyMethod] = [
    listAuthenticators
  ]

  // MARK: io.localauth.Authenticator, which programs serve

  /// Describes the program.
  public static let describeProgram: Method<Empty, AuthenticatorMessages.DescribeReply> =
    .init(program, "Describe", by: .anybody, .once, judging: [])

  /// Tells whether the program can judge now, and each change of that.
  public static let watchProgram: Method<Empty, AuthenticatorMessages.WatchReply> =
    .init(program, "Watch", by: .anybody, .stream, judging: [])

  /// Returns what an account has enrolled.
  public static let enrolledAtProgram:
    Method<AuthenticatorMessages.EnrolledCall, AuthenticatorMessages.EnrolledReply> =
      .init(program, "Enrolled", by: .anybody, .once, judging: [])

  /// Judges one attempt.
  public static let armProgram:
    Method<AuthenticatorMessages.ArmCall, AuthenticatorMessages.ArmReply> =
      .init(program, "Arm", by: .anybody, .stream, judging: [])

  /// Answers the open question of an attempt.
  public static let answerProgram: Method<AuthenticatorMessages.AnswerCall, Empty> =
    .init(program, "Answer", by: .anybody, .once, judging: [])

  /// Enrols a finger of an account.
  public static let enrollAtProgram:
    Method<AuthenticatorMessages.EnrollCall, AuthenticatorMessages.EnrollReply> =
      .init(program, "Enroll", by: .anybody, .stream, judging: [])

  /// Removes what an account has enrolled.
  public static let removeAtProgram: Method<AuthenticatorMessages.RemoveCall, Empty> =
    .init(program, "Remove", by: .anybody, .once, judging: [])

  static let ofPrograms: [any AnyMethod] = [
    describeProgram, watchProgram, enrolledAtProgram, armProgram, answerProgram, enrollAtProgram,
    removeAtProgram,
  ]
}
