import LocalAuthClient
import LocalAuthDialog
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// The device of a call and how a person may be asked, fixed when the call begins.
struct KeychainCaller: Sendable {
  let device: Device
  let settings: ContextSettings
  /// The number of the context whose authorizations count.
  let context: Int64
  /// Whether proofs stay valid for later calls.
  let keepsProof: Bool
  /// The application password, for items that require one.
  var password: Credential?
  /// Called if the application password was wrong.
  var onWrongPassword: @Sendable () -> Void = {}
}

/// Makes keychain calls one after the other, on a thread that may wait.
///
/// After a connection failure or a cancellation, the next call uses a new connection, on which
/// nothing has been proven.
struct KeychainSession: ~Copyable {
  private let caller: KeychainCaller
  private let inbox: PromptInbox
  private var stream: KeychainStream?
  /// Whether the connection is left over from an earlier call.
  private var isLeftOver: Bool
  private var hasAsked = false
  /// The index of the new item at which the last call failed.
  private(set) var failedItem: Int?

  init(for caller: KeychainCaller, _ inbox: PromptInbox, over stream: consuming KeychainStream?) {
    self.caller = caller
    self.inbox = inbox
    isLeftOver = stream != nil
    self.stream = stream
  }

  /// Adds the item that `dictionary` describes.
  mutating func add(
    _ dictionary: QueryDictionary,
    _ data: borrowing Secret?
  ) throws(KeychainFailure) -> RemoteAnswer {
    var call = KeychainMessages.AddCall()
    call.query = try Self.query(dictionary)
    switch data {
    case .none: return try ask(Methods.addItem, call)
    case .some(let data):
      return try data.lendData { (data) throws(KeychainFailure) in
        call.data = data
        return try ask(Methods.addItem, call)
      }
    }
  }

  /// Fetches a piece of the items that `dictionary` selects: the first, or the one after `cursor`.
  mutating func copy(
    _ dictionary: QueryDictionary,
    after cursor: String? = nil,
    reason: String?
  ) throws(KeychainFailure) -> RemoteAnswer {
    var call = KeychainMessages.CopyCall()
    call.query = try Self.query(dictionary)
    call.after = cursor
    return try ask(Methods.copyItems, call, reason)
  }

  /// Changes the items that `dictionary` selects.
  mutating func update(
    _ dictionary: QueryDictionary,
    _ changes: QueryDictionary,
    _ data: borrowing Secret?,
    reason: String?
  ) throws(KeychainFailure) -> RemoteAnswer {
    var call = KeychainMessages.UpdateCall()
    call.query = try Self.query(dictionary)
    call.changes = try Self.query(changes)
    switch data {
    case .none: return try ask(Methods.updateItems, call, reason)
    case .some(let data):
      return try data.lendData { (data) throws(KeychainFailure) in
        call.data = data
        return try ask(Methods.updateItems, call, reason)
      }
    }
  }

  /// Deletes the items that `dictionary` selects.
  mutating func delete(
    _ dictionary: QueryDictionary,
    reason: String?
  ) throws(KeychainFailure) -> RemoteAnswer {
    var call = KeychainMessages.DeleteCall()
    call.query = try Self.query(dictionary)
    return try ask(Methods.deleteItems, call, reason)
  }

  /// Generates the private key that `dictionary` describes.
  mutating func generateKey(
    _ dictionary: QueryDictionary
  ) throws(KeychainFailure) -> RemoteItem {
    var call = KeychainMessages.GenerateKeyCall()
    call.query = try Self.query(dictionary)
    guard let made = try ask(Methods.generateKey, call).items.first else {
      throw .service(.protocolError("a key was made and not shown"))
    }
    return made
  }

  /// Signs with the first private key that `dictionary` selects.
  mutating func sign(
    _ message: [UInt8],
    _ algorithm: KeyAlgorithm,
    _ dictionary: QueryDictionary,
    reason: String?
  ) throws(KeychainFailure) -> [UInt8] {
    var call = KeychainMessages.SignCall()
    call.query = try Self.query(dictionary)
    call.algorithm = algorithm.rawValue
    call.message = WireBytes(message)
    guard let signature = try ask(Methods.sign, call, reason).signature else {
      throw .service(.protocolError("a signature that is not there"))
    }
    return signature
  }

  /// Agrees on a secret, using the first private key that `dictionary` selects.
  mutating func exchange(
    _ publicKey: [UInt8],
    _ algorithm: KeyAlgorithm,
    size: Int?,
    sharedInfo: [UInt8],
    _ dictionary: QueryDictionary,
    reason: String?
  ) throws(KeychainFailure) -> SecretBox {
    var call = KeychainMessages.ExchangeKeysCall()
    call.query = try Self.query(dictionary)
    call.algorithm = algorithm.rawValue
    call.publicKey = WireBytes(publicKey)
    call.size = size.map { Int64($0) }
    call.sharedInfo = sharedInfo.isEmpty ? nil : WireBytes(sharedInfo)
    guard let secret = try ask(Methods.exchangeKeys, call, reason).sharedSecret else {
      throw .service(.protocolError("a shared secret that is not there"))
    }
    return secret
  }

  /// Obtains the proof that an access control requires.
  mutating func evaluate(
    _ accessControl: AccessControl,
    _ use: AccessControlUse,
    reason: String
  ) throws(KeychainFailure) -> RemoteAnswer {
    var call = KeychainMessages.EvaluateAccessControlCall()
    call.accessControl = WireAccessControl(accessControl)
    call.operation = use.operations.count > 1 ? "useKey" : use.operations[0].rawValue
    return try ask(Methods.evaluateAccessControl, call, reason)
  }

  /// The service's name for this program, and the program's access groups.
  mutating func groups() throws(KeychainFailure) -> KeychainMessages.GroupsReply {
    var stream = try openStream()
    let groups = try KeychainFailure.translating { () throws(ClientError) in try stream.groups() }
    self.stream = consume stream
    return groups
  }

  /// Returns the stream for the next caller, without this caller's proofs unless they are kept.
  mutating func finish() -> KeychainStream? {
    guard hasAsked, !caller.keepsProof, stream != nil else { return stream.take() }
    // If this fails, the connection is closed, which also ends the proofs.
    guard (try? stream?.invalidate(context: caller.context)) != nil else { return nil }
    return stream.take()
  }

  // MARK: Asking

  static func query(_ dictionary: QueryDictionary) throws(KeychainFailure) -> WireQuery {
    do throws(WireError) {
      return try WireQuery(dictionary)
    } catch {
      throw .refused(.param, "A value of the query cannot be sent.")
    }
  }

  mutating func ask<Call: KeychainMessages.AskingCall>(
    _ method: RemoteMethod<Call, KeychainMessages.AskReply>,
    _ call: Call,
    _ reason: String? = nil
  ) throws(KeychainFailure) -> RemoteAnswer {
    failedItem = nil
    guard !inbox.isCancelled else { throw .authentication(.appCancel) }
    let settings = caller.settings
    let reason = reason ?? (settings.reason.isEmpty ? nil : settings.reason)
    let place = settings.place(for: inbox)
    var call = call
    call.asking.context = caller.context
    call.asking.reason = reason
    call.asking.interactive = place.isInteractive
    call.asking.agent = place.asksAgent ? true : nil
    call.asking.timeoutMilliseconds = settings.timeout.wholeNanoseconds / 1_000_000
    call.asking.fallbackTitle = settings.fallbackTitle
    call.asking.cancelTitle = settings.cancelTitle.flatMap { $0.isEmpty ? nil : $0 }
    var stream = try openStream()
    do throws(ClientError) {
      try Self.begin(method, call, caller.password, on: &stream)
    } catch {
      throw KeychainFailure(error)
    }
    return try answer(on: stream, place, reason ?? "use a keychain item")
  }

  private static func begin<Call: KeychainMessages.AskingCall>(
    _ method: RemoteMethod<Call, KeychainMessages.AskReply>,
    _ call: Call,
    _ password: Credential?,
    on stream: inout KeychainStream
  ) throws(ClientError) {
    guard let password else { return try stream.begin(method, call) }
    var call = call
    try password.secret.lend { (secret) throws(ClientError) in
      call.asking.applicationPassword = secret
      try stream.begin(method, call)
    }
  }

  /// Waits for the answer; on an error the stream is released, which cancels the call.
  private mutating func answer(
    on stream: consuming KeychainStream,
    _ place: consuming PromptPlace,
    _ reason: String
  ) throws(KeychainFailure) -> RemoteAnswer {
    var dialog = place.dialog(about: stream, showing: reason)
    let interface = place.interface
    defer { if interface?.isShowing ?? false { interface?.show(.ended) } }
    let answer: RemoteAnswer
    do throws(AuthError) { answer = try dialog.result() } catch { throw KeychainFailure(error) }
    self.stream = dialog.finish()
    if answer.evaluation != nil { hasAsked = true }
    failedItem = answer.failedItem
    if answer.isPasswordWrong { caller.onWrongPassword() }
    if let failure = KeychainFailure(answer) { throw failure }
    return answer
  }

  /// Takes the current connection or opens a new one; the caller puts it back after an answer.
  private mutating func openStream() throws(KeychainFailure) -> KeychainStream {
    if let kept = stream.take(), let usable = Self.usable(kept, isLeftOver: isLeftOver) {
      isLeftOver = false
      return usable
    }
    isLeftOver = false
    let place: (choice: DeviceChoice, source: any ConnectionSource)
    do throws(AuthError) {
      place = try caller.device.resolved()
    } catch {
      throw KeychainFailure(error)
    }
    return try KeychainFailure.translating { () throws(ClientError) in
      try KeychainStream(on: place.choice, at: place.source)
    }
  }

  /// Returns the stream if it is still connected: an idle connection becomes readable only when it
  /// ends.
  private static func usable(
    _ stream: consuming KeychainStream,
    isLeftOver: Bool
  ) -> KeychainStream? {
    guard isLeftOver else { return stream }
    var stream = stream
    guard let ready = try? stream.wait(until: .after(.zero)), !ready.isSocketReady else {
      return nil
    }
    return stream
  }
}
