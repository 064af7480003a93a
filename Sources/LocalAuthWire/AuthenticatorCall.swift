/// A call of `io.localauth.Authenticator`, as a program reads it.
public enum AuthenticatorCall: Sendable {
  case describe
  case watch
  case enrolled(user: String)
  /// `attempt` is the attempt's name.
  case arm(attempt: String, user: String)
  /// The answer lies in this range of the frame, as JSON.
  case answer(attempt: String, WireSecret, in: Range<Int>)
  /// A method that the program does not have.
  case other

  /// Reads the frame of a call, without its closing NUL.
  ///
  /// Nothing of an answer is copied: it stays in the frame.
  @unsafe
  public init(frame: UnsafeRawBufferPointer) throws(WireError) {
    let call = try unsafe IncomingCall(frame: frame)
    switch call.method {
    case Methods.describeProgram.name:
      _ = try unsafe ServiceMessages.Empty.read(call.parameters, of: frame)
      self = .describe
    case Methods.watchProgram.name:
      _ = try unsafe ServiceMessages.Empty.read(call.parameters, of: frame)
      self = .watch
    case Methods.enrolledAtProgram.name:
      let parameters = try unsafe AuthenticatorMessages.EnrolledCall.read(
        call.parameters,
        of: frame
      )
      self = .enrolled(user: parameters.user)
    case Methods.armProgram.name:
      let parameters = try unsafe AuthenticatorMessages.ArmCall.read(call.parameters, of: frame)
      self = .arm(attempt: parameters.attempt, user: parameters.user)
    case Methods.answerProgram.name:
      let parameters = try unsafe AuthenticatorMessages.AnswerCall.read(call.parameters, of: frame)
      guard let range = call.parameters else { throw .invalidParameter("answer") }
      self = .answer(attempt: parameters.attempt, parameters.answer, in: range)
    default: self = .other
    }
  }
}
