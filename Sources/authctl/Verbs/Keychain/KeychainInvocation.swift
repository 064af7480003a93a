import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// A keychain verb in progress: its call, the secrets sent with it, and whom it may ask.
struct KeychainInvocation {
  static let reason = Option<Reason?>("reason", "TEXT", help: "why, as the person reads it")
  static let applicationPassword = Option<Int?>(
    "application-password-fd",
    "N",
    help: "read the items' application password from this open descriptor"
  )

  static let asksApplicationPassword = Flag(
    "application-password",
    help: "ask for the items' application password on the terminal"
  )

  /// The options of every verb that may ask a person.
  static var options: [OptionDeclaration] {
    [
      reason.declaration, EvaluateVerb.timeout.declaration, Headless.flag.declaration,
      EvaluateVerb.nonInteractive.declaration, EvaluateVerb.agent.declaration,
      EvaluateVerb.script.declaration,
      EvaluateVerb.descriptor.declaration, applicationPassword.declaration,
      asksApplicationPassword.declaration,
    ]
  }
  static let exclusions =
    [
      ["non-interactive", "application-password"],
      ["application-password", "application-password-fd"],
    ] + EvaluateVerb.exclusions

  let context: VerbContext
  /// The reason that the person reads where the command line gives none.
  var standardReason: String?
  /// The secret to store.
  var data: HeldSecret?
  private let script: HeldSecret?
  private let applicationPassword: HeldSecret?
  private let passcode: GivenPasscode

  /// The descriptors from which secrets are read.
  static func descriptors(_ arguments: ParsedArguments) -> [Int?] {
    [arguments[EvaluateVerb.descriptor], arguments[applicationPassword]]
  }

  /// Reads the secrets that the options name: the script, then the application password; a passcode
  /// comes last.
  ///
  /// `makesItems` says whether the application password is that of new items, which is typed twice.
  init(
    _ context: VerbContext,
    storing data: HeldSecret? = nil,
    makesItems: Bool = false
  ) throws(Failure) {
    self.context = context
    self.data = data
    let arguments = context.arguments
    passcode = GivenPasscode(arguments[EvaluateVerb.descriptor])
    if let option = arguments[EvaluateVerb.script] {
      script = HeldSecret(try option.read())
    } else {
      script = nil
    }
    if let number = arguments[Self.applicationPassword] {
      applicationPassword = HeldSecret(try SecretInput.line(of: number))
    } else if arguments[Self.asksApplicationPassword] {
      applicationPassword = HeldSecret(try Self.ask(context, isNew: makesItems || data != nil))
    } else {
      applicationPassword = nil
    }
  }

  /// Whether a person, a script or a given passcode can answer a prompt.
  var canAsk: Bool {
    script != nil || context.arguments[EvaluateVerb.descriptor] != nil
      || context.arguments[Headless.flag] || context.arguments[EvaluateVerb.agent]
      || !context.arguments[EvaluateVerb.nonInteractive] && (try? Terminal()) != nil
  }

  /// Whether everything that is asked is asked on the terminal.
  static func asksOnTerminal(_ arguments: ParsedArguments) -> Bool {
    arguments[EvaluateVerb.script] == nil && arguments[EvaluateVerb.descriptor] == nil
      && !arguments[EvaluateVerb.nonInteractive] && !arguments[Headless.flag]
      && !arguments[EvaluateVerb.agent]
  }

  /// Makes the call and its follow-up calls, and reports all answers as one.
  ///
  /// `place` puts the data into the call; `goOn` decides whether another call follows an answer.
  func report<Call: KeychainMessages.AskingCall>(
    _ method: RemoteMethod<Call, KeychainMessages.AskReply>,
    _ call: Call,
    placing place: (inout Call, WireSecret?) -> Void = { _, _ in },
    goOn: (inout Call, RemoteAnswer) -> Bool = { _, _ in false },
    then take: ([RemoteAnswer], DeviceChoice) throws(Failure) -> Report
  ) throws(Failure) -> Report {
    let arguments = context.arguments
    let device = try context.device()
    let answer = try passcode.box()
    let isHeadless = try context.isHeadless(on: device)
    let isSilent =
      arguments[EvaluateVerb.nonInteractive] || arguments[EvaluateVerb.agent] || isHeadless
    let terminal = isSilent ? nil : try? Terminal()
    var call = call
    call.asking.reason = arguments[Self.reason]?.text ?? standardReason
    call.asking.timeoutMilliseconds = arguments[EvaluateVerb.timeout].milliseconds
    let asksAgent =
      terminal == nil && script == nil && answer == nil && !isHeadless
      && !arguments[EvaluateVerb.nonInteractive]
    call.asking.interactive = !arguments[EvaluateVerb.nonInteractive]
    call.asking.agent = asksAgent ? true : nil
    // There is no other passcode to try, so a wrong one ends the prompt with its real outcome.
    if answer != nil, terminal == nil { call.asking.passcodeTries = 1 }
    // This run has its own context, so a proof for one page also counts for the next.
    call.asking.context = 1
    // If nobody is asked here, only a queued script can answer.
    let isUnattended = terminal == nil && script == nil && !asksAgent && !isHeadless
    let answersFirst = script != nil || answer != nil
    let address = try context.address()
    var stream = try context.calling { () throws(ClientError) in
      try KeychainStream(on: device, at: address)
    }
    try context.calling { () throws(ClientError) in
      try begin(method, call, script, place, on: &stream)
    }
    var run = DialogRun(
      Dialog(
        .caller(reason: call.asking.reason ?? "use a keychain item"),
        given: answer,
        isUnattended: isUnattended
      ),
      about: stream,
      on: DialogScreen(on: terminal, style: context.promptStyle, opensAtOnce: !answersFirst),
      timeout: arguments[EvaluateVerb.timeout].duration
    )
    var answers: [RemoteAnswer] = []
    while true {
      switch try DialogEnd.conclusion(of: &run, context) {
      case .interrupted(let report): return report
      case .value(let answer): answers.append(answer)
      }
      guard goOn(&call, answers[answers.count - 1]) else { return try take(answers, device) }
      do throws(DialogError) {
        try run.goOn(timeout: arguments[EvaluateVerb.timeout].duration) {
          (stream) throws(ClientError) in try begin(method, call, nil, place, on: &stream)
        }
      } catch {
        throw DialogEnd.failure(error, context)
      }
    }
  }

  /// Sends the call with its secrets, which are lent from secret memory until it is sent.
  private func begin<Call: KeychainMessages.AskingCall>(
    _ method: RemoteMethod<Call, KeychainMessages.AskReply>,
    _ call: Call,
    _ script: HeldSecret?,
    _ place: (inout Call, WireSecret?) -> Void,
    on stream: inout KeychainStream
  ) throws(ClientError) {
    try Self.lend(script) { (script) throws(ClientError) in
      try Self.lend(applicationPassword) { (password) throws(ClientError) in
        try Self.lendData(data) { (data) throws(ClientError) in
          var call = call
          call.asking.script = script
          if script != nil {
            call.asking.scriptIsArgument = context.arguments[EvaluateVerb.script]?.isInline
          }
          call.asking.applicationPassword = password
          place(&call, data)
          try stream.begin(method, call)
        }
      }
    }
  }

  /// Lends the application password, nil if there is none, until the call is sent.
  func lendApplicationPassword(
    _ body: (WireSecret?) throws(ClientError) -> Void
  ) throws(ClientError) {
    try Self.lend(applicationPassword, body)
  }

  private static func lend(
    _ held: HeldSecret?,
    _ body: (WireSecret?) throws(ClientError) -> Void
  ) throws(ClientError) {
    guard let held else { return try body(nil) }
    try held.secret.lend { (secret) throws(ClientError) in try body(secret) }
  }

  private static func lendData(
    _ held: HeldSecret?,
    _ body: (WireSecret?) throws(ClientError) -> Void
  ) throws(ClientError) {
    guard let held else { return try body(nil) }
    try held.secret.lendData { (secret) throws(ClientError) in try body(secret) }
  }

  /// Fails where an item was to have an application password, now or from now on, and none came and nobody was asked.
  func checkHasPassword(for item: QueryDictionary, _ answer: RemoteAnswer) throws(Failure) {
    guard answer.outcome == .authenticationFailed, answer.evaluation == nil,
      applicationPassword == nil, Self.needsPassword(item)
    else { return }
    throw Failure(
      .notInteractive,
      "\(OutcomeCode.notInteractive.sentence) Give the application password of the item with "
        + "\(Self.applicationPassword.declaration.spelling)."
    )
  }

  /// Fails where an application password is given, or would be asked for, and the item to add has none: it would be open without.
  static func checkHasUse(
    ofPasswordFor item: QueryDictionary,
    _ context: VerbContext
  ) throws(Failure) {
    let arguments = context.arguments
    guard arguments[applicationPassword] != nil || arguments[asksApplicationPassword],
      !needsPassword(item)
    else { return }
    // The item that is there may need it.
    if arguments[AddVerb.updates], try count(ItemDivision(of: item).parts.query, context) > 0 {
      return
    }
    throw Failure(
      .usage,
      "The item would be open without the application password: give "
        + "\(ItemOptions.accessControl.declaration.spelling) applicationPassword, or leave the password out."
    )
  }

  private static func needsPassword(_ item: QueryDictionary) -> Bool {
    guard case .accessControl(let control)? = item[ItemAttribute.accessControl.rawValue] else {
      return false
    }
    return control.flags.contains(.applicationPassword)
  }

  /// Asks for an application password; a new one is typed twice, because a typing mistake could not
  /// be corrected.
  private static func ask(_ context: VerbContext, isNew: Bool) throws(Failure) -> Secret {
    try context.askOnTerminal(
      orElse: "There is no terminal to ask on. Give it with --application-password-fd."
    ) { (session) throws(SecretInputError) in
      let prompt = "Application password"
      return isNew
        ? try session.readNewSecret(prompt: prompt, again: "The same again")
        : try session.readSecret(prompt: prompt)
    }
  }
}

/// The passcode that `--passcode-fd` gives: read once, before the first call, and given in each.
private final class GivenPasscode {
  private let descriptor: Int?
  private var given: SecretBox?

  init(_ descriptor: Int?) { self.descriptor = descriptor }

  func box() throws(Failure) -> SecretBox? {
    guard let descriptor else { return nil }
    if given == nil { given = SecretBox(try SecretInput.line(of: descriptor)) }
    return given?.copied()
  }
}
