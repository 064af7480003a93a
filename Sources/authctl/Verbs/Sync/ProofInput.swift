import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// How a verb has the owner of the device prove to be that: by a passcode that is given, or by what the daemon asks on the
/// terminal, or where there is none through an agent.
struct ProofInput {
  /// The options of a verb that takes the owner's proof.
  static var options: [OptionDeclaration] { PasscodeInput.options }
  static let exclusions = PasscodeInput.exclusions

  static let policy = Option<String?>(
    "policy",
    "NAME",
    source: .policies,
    help: "prove this policy, too"
  )
  /// The options of a verb that takes a finger, too, and a policy besides.
  static var policyOptions: [OptionDeclaration] {
    [EvaluateVerb.timeout.declaration, policy.declaration] + options
  }
  static let policyExclusions = [["policy", "passcode-stdin", "passcode-fd"]]

  private let context: VerbContext
  /// How long the person has to answer.
  private let timeout: Duration

  init(_ context: VerbContext, timeout: Duration = .seconds(30)) {
    self.context = context
    self.timeout = timeout
  }

  /// How a verb with ``policyOptions`` has it proven.
  static func underPolicy(_ context: VerbContext) -> Self {
    Self(context, timeout: context.arguments[EvaluateVerb.timeout].duration)
  }

  /// Calls a method that takes the owner's proof; the proof is filled in.
  ///
  /// A passcode that the daemon only takes with the call is asked for on the terminal, and the call made once more.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - call: Its other parameters.
  ///   - device: The device.
  ///   - reason: Why the person is asked, as long as others are asked first.
  /// - Returns: what comes of it.
  /// - Throws: ``Failure``.
  func call<Call: SyncMessages.ProvenCall, Reply: ProofReply>(
    _ method: RemoteMethod<Call, Reply>,
    _ call: Call,
    on device: DeviceChoice,
    to reason: String
  ) throws(Failure) -> ProofEnding<Reply>.Done {
    let input = PasscodeInput(context)
    var passcode = try input.given()
    if passcode == nil {
      if let done = try run(method, call, device, reason, nil) { return done }
      passcode = try input.current(device)
    }
    // What is given is read once.
    guard let passcode = passcode.take() else { throw Self.unasked }
    let done = try passcode.lend { (secret) throws(Failure) in
      try run(method, call, device, reason, secret)
    }
    guard let done else { throw Self.unasked }
    return done
  }

  private static var unasked: Failure {
    Failure(.notInteractive, OutcomeCode.notInteractive.sentence)
  }

  /// Makes the call and shows what the daemon asks until it has ended, which may wait for the hub once all is proven; nil if
  /// the daemon takes the passcode with the call, and none came.
  private func run<Call: SyncMessages.ProvenCall, Reply: ProofReply>(
    _ method: RemoteMethod<Call, Reply>,
    _ call: Call,
    _ device: DeviceChoice,
    _ reason: String,
    _ passcode: WireSecret?
  ) throws(Failure) -> ProofEnding<Reply>.Done? {
    let terminal = try? Terminal()
    var call = call
    call.proof.passcode = passcode
    call.proof.agent = terminal == nil && passcode == nil ? true : nil
    call.proof.timeoutMilliseconds = timeout.wholeMilliseconds
    let (sent, address) = (call, try context.address())
    let stream = try context.calling { () throws(ClientError) in
      try ProofStream<Reply>(proving: method, sent, on: device, at: address)
    }
    var run = DialogRun(
      Dialog(.caller(reason: reason)),
      about: stream,
      on: DialogScreen(on: terminal, style: context.promptStyle, opensAtOnce: true),
      timeout: timeout + DaemonConnection.passcodePatience
    )
    let end: DialogRun<ProofEnding<Reply>>.End
    do throws(DialogError) { end = try run.run() } catch {
      if case .client(let error) = error, error.isPasscodeRequired { return nil }
      throw advised(DialogEnd.failure(error, context), on: device)
    }
    switch end {
    case .result(let done): return done
    case .closed, .abandoned: throw Failure(.userCancel, OutcomeCode.userCancel.sentence)
    // The process goes on, so that the caller can end what it began.
    case .interrupted: throw Failure(.appCancel, "Interrupted by a signal; nothing was allowed.")
    }
  }

  /// A failure that also says how the passcode is given where nobody can be asked, if there is one.
  private func advised(_ failure: Failure, on device: DeviceChoice) -> Failure {
    guard failure.outcome == .notInteractive,
      let status = try? context.call(Methods.status, DeviceVerbs.call(device)),
      status.device.hasPasscode
    else { return failure }
    var advised = failure
    advised.message += " Give the passcode with --passcode-stdin."
    return advised
  }
}
