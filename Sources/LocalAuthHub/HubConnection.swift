import CLocalAuthPostgreSQL
import Glibc
public import LocalAuthSecret
public import LocalAuthSync

/// A connection to a hub's database; closed with the value.
///
/// After `HubError.unreachable` it is of no use any more: an answer may still be on its way. For one thread at a time.
@safe
public struct HubConnection: ~Copyable {
  private let handle: OpaquePointer
  private let patience: HubPatience

  /// Connects.
  ///
  /// libpq keeps a copy of the password in ordinary memory as long as the connection lives, and overwrites it when it
  /// frees the connection. Nothing makes it forget one earlier.
  ///
  /// - Parameters:
  ///   - options: libpq's options by their names.
  ///   - password: The password of the role; empty for none.
  ///   - patience: How long to wait, and what ends a wait.
  /// - Throws: `HubError.unreachable`; `denied` if the server does not let the role in.
  public init(
    _ options: [(name: String, value: String)],
    password: borrowing Secret = Secret(capacity: 0),
    patience: HubPatience = HubPatience()
  ) throws(HubError) {
    unsafe handle = try Self.connected(options, password, patience)
    self.patience = patience
  }

  deinit { unsafe PQfinish(handle) }

  /// The socket, to wait for notifications on.
  public var socket: Int32 { unsafe PQsocket(handle) }

  /// Runs one statement, whose answer comes in the binary format.
  func run(_ statement: StaticString, _ values: [HubValue] = []) throws(HubError) -> HubRows {
    let types = values.map(\.type)
    let encoded = values.map(\.encoded)
    let sizes = encoded.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    let bytes = encoded.reduce(into: []) { $0 += $1 ?? [] } + [0]
    // SAFETY: libpq copies each value within the call, from the buffer that has them one behind the other.
    let isSent = unsafe bytes.withUnsafeBufferPointer { (bytes) -> Bool in
      var start = 0
      var places: [UnsafePointer<CChar>?] = unsafe []
      for (value, size) in zip(encoded, sizes) {
        let place = unsafe UnsafeRawPointer(bytes.baseAddress)?.advanced(by: start)
        let text = unsafe place?.assumingMemoryBound(to: CChar.self)
        unsafe places.append(value == nil ? nil : text)
        start += Int(size)
      }
      return unsafe PQsendQueryParams(
        handle,
        UnsafeRawPointer(statement.utf8Start).assumingMemoryBound(to: CChar.self),
        Int32(values.count),
        types,
        places,
        sizes,
        formats,
        1
      ) == 1
    }
    return try answer(isSent)
  }

  /// Runs statements without parameters, one after another, in one transaction unless they say otherwise.
  ///
  /// - Throws: ``HubError``.
  public func runScript(_ script: String) throws(HubError) {
    // SAFETY: the string is a C string for the call, which copies it.
    _ = try answer(unsafe PQsendQuery(handle, script) == 1)
  }

  /// The text that a statement returns first; empty for none.
  ///
  /// - Throws: ``HubError``.
  public func text(_ statement: String) throws(HubError) -> String {
    // SAFETY: the string is a C string for the call, which copies it.
    let rows = try answer(unsafe PQsendQuery(handle, statement) == 1)
    return rows.count == 0 ? "" : try rows.text(0, 0) ?? ""
  }

  /// Whether another connection has told of something new since the last time.
  ///
  /// - Throws: `HubError.unreachable`, if the connection broke.
  public func takeNotifications() throws(HubError) -> Bool {
    guard unsafe PQconsumeInput(handle) == 1 else { throw .unreachable(unsafe Self.reason(handle)) }
    var hasAny = false
    while let notification = unsafe PQnotifies(handle) {
      if unsafe notification.pointee.be_pid != PQbackendPID(handle) { hasAny = true }
      unsafe PQfreemem(notification)
    }
    guard unsafe PQstatus(handle) == CONNECTION_OK else {
      throw .unreachable(unsafe Self.reason(handle))
    }
    return hasAny
  }

  // MARK: Connecting

  @unsafe
  private static func connected(
    _ options: [(name: String, value: String)],
    _ password: borrowing Secret,
    _ patience: HubPatience
  ) throws(HubError) -> OpaquePointer {
    guard let handle = unsafe begin(options, password) else { throw .unreachable("no memory") }
    do throws(HubError) {
      try unsafe finish(handle, patience)
      return unsafe handle
    } catch {
      unsafe PQfinish(handle)
      throw error
    }
  }

  @unsafe
  private static func begin(
    _ options: [(name: String, value: String)],
    _ password: borrowing Secret
  ) -> OpaquePointer? {
    // What a C string cannot have would end it early.
    guard !options.contains(where: { $0.value.utf8.contains(0) }) else { return nil }
    var words: [UInt8] = []
    for option in options {
      for text in [option.name, option.value] {
        words += text.utf8
        words.append(0)
      }
    }
    var terminated = Secret(capacity: password.count + 1)
    terminated.append(contentsOf: password)
    _ = terminated.append(0)
    // SAFETY: all strings end with a zero inside buffers that live for the call, which copies them.
    return unsafe words.withUnsafeBytes { words in
      unsafe terminated.withUnsafeBytes { secret in
        guard let words = unsafe words.bindMemory(to: CChar.self).baseAddress else { return nil }
        let secret = unsafe secret.bindMemory(to: CChar.self).baseAddress
        return unsafe la_pq_start(words, options.count, password.count == 0 ? nil : secret)
      }
    }
  }

  @unsafe
  private static func finish(
    _ handle: OpaquePointer,
    _ patience: HubPatience
  ) throws(HubError) {
    let end = HubPatience.now() + patience.connecting
    guard unsafe PQstatus(handle) != CONNECTION_BAD else {
      throw unsafe whyNotConnected(handle)
    }
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      switch state {
      case PGRES_POLLING_READING:
        try patience.wait(for: POLLIN, on: unsafe PQsocket(handle), until: end)
      case PGRES_POLLING_WRITING:
        try patience.wait(for: POLLOUT, on: unsafe PQsocket(handle), until: end)
      default: throw unsafe whyNotConnected(handle)
      }
      state = unsafe PQconnectPoll(handle)
    }
    _ = unsafe PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
    guard unsafe PQsetnonblocking(handle, 1) == 0 else {
      throw .unreachable(unsafe reason(handle))
    }
  }

  /// libpq tells the code of a server's refusal within its sentence alone, and a server speaks any language.
  @unsafe
  private static func whyNotConnected(_ handle: OpaquePointer) -> HubError {
    let lines = unsafe String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
    for line in lines {
      var parts = line.split(separator: ":", omittingEmptySubsequences: false)
      // Such as `failed: FATAL:  28P01: no`, where nothing but a code has two spaces before it.
      guard let index = parts.firstIndex(where: { $0.hasPrefix("  ") && $0.utf8.count == 7 })
      else { continue }
      let isDenial = parts.remove(at: index).hasPrefix("  28")
      let reason = parts.joined(separator: ":")
      return isDenial ? .denied(reason) : .unreachable(reason)
    }
    return .unreachable(lines.first.map(String.init) ?? "")
  }

  // MARK: Answers

  private func answer(_ isSent: Bool) throws(HubError) -> HubRows {
    guard isSent else { throw .unreachable(unsafe Self.reason(handle)) }
    let end = HubPatience.now() + patience.answering
    try flush(until: end)
    var last: OpaquePointer?
    do throws(HubError) {
      while let result = unsafe try next(until: end) {
        // A script ends with its first mistake, which is the last result, too.
        unsafe PQclear(last)
        unsafe last = result
        // It would be said without end.
        guard unsafe !Self.isCopy(PQresultStatus(result)) else {
          throw .unexpected("the hub wants to copy rows")
        }
      }
    } catch {
      unsafe PQclear(last)
      throw error
    }
    return try unsafe Self.rows(last, handle)
  }

  private static func isCopy(_ status: ExecStatusType) -> Bool {
    status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
  }

  /// Sends what libpq still has, and takes in what the hub says meanwhile, so that neither waits for the other.
  private func flush(until end: Duration) throws(HubError) {
    while true {
      switch unsafe PQflush(handle) {
      case 0: return
      case 1:
        try patience.wait(for: POLLIN | POLLOUT, on: socket, until: end)
        guard unsafe PQconsumeInput(handle) == 1 else {
          throw .unreachable(unsafe Self.reason(handle))
        }
      default: throw .unreachable(unsafe Self.reason(handle))
      }
    }
  }

  @unsafe
  private func next(until end: Duration) throws(HubError) -> OpaquePointer? {
    while unsafe PQisBusy(handle) == 1 {
      try patience.wait(for: POLLIN, on: socket, until: end)
      guard unsafe PQconsumeInput(handle) == 1 else {
        throw .unreachable(unsafe Self.reason(handle))
      }
    }
    return unsafe PQgetResult(handle)
  }

  @unsafe
  private static func rows(
    _ result: OpaquePointer?,
    _ handle: OpaquePointer
  ) throws(HubError) -> HubRows {
    guard let result = unsafe result else { throw .unreachable(unsafe reason(handle)) }
    switch unsafe PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return unsafe HubRows(result)
    default:
      defer { unsafe PQclear(result) }
      guard unsafe PQstatus(handle) == CONNECTION_OK, let code = unsafe la_pq_sqlstate(result)
      else {
        throw .unreachable(unsafe reason(handle))
      }
      throw .refused(
        code: unsafe String(cString: code),
        reason: unsafe line(String(cString: PQresultErrorMessage(result)))
      )
    }
  }

  @unsafe
  private static func reason(_ handle: OpaquePointer) -> String {
    unsafe line(String(cString: PQerrorMessage(handle)))
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }
}
