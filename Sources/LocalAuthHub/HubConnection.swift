import CLocalAuthPostgreSQL
public import LocalAuthSync

/// A connection to a hub's database; closed with the value.
///
/// For one thread at a time.
@safe
public struct HubConnection: ~Copyable {
  private let handle: OpaquePointer

  /// Connects.
  ///
  /// - Parameter options: libpq's options by their names.
  /// - Throws: ``HubError/unreachable(_:)``.
  public init(_ options: [(name: String, value: String)]) throws(HubError) {
    let text = options.map { "\($0.name)=\(Self.quoted($0.value))" }.joined(separator: " ")
    // SAFETY: the string is a C string for the call.
    guard let handle = unsafe PQconnectdb(text) else { throw .unreachable("no memory") }
    guard unsafe PQstatus(handle) == CONNECTION_OK else {
      let reason = unsafe Self.reason(handle)
      unsafe PQfinish(handle)
      throw .unreachable(reason)
    }
    unsafe self.handle = handle
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
    // SAFETY: libpq reads each value within the call, from the buffer that has them one behind the other.
    let result = unsafe bytes.withUnsafeBufferPointer { (bytes) -> OpaquePointer? in
      var start = 0
      var places: [UnsafePointer<CChar>?] = unsafe []
      for (value, size) in zip(encoded, sizes) {
        let place = unsafe UnsafeRawPointer(bytes.baseAddress)?.advanced(by: start)
        let text = unsafe place?.assumingMemoryBound(to: CChar.self)
        unsafe places.append(value == nil ? nil : text)
        start += Int(size)
      }
      return unsafe PQexecParams(
        handle,
        UnsafeRawPointer(statement.utf8Start).assumingMemoryBound(to: CChar.self),
        Int32(values.count),
        types,
        places,
        sizes,
        formats,
        1
      )
    }
    return try unsafe Self.rows(result, handle)
  }

  /// Runs statements without parameters, one after another, in one transaction unless they say otherwise.
  ///
  /// - Throws: ``HubError``.
  public func runScript(_ script: String) throws(HubError) {
    // SAFETY: the string is a C string for the call.
    _ = try unsafe Self.rows(PQexec(handle, script), handle)
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

  /// The text that a statement returns first; empty for none.
  ///
  /// - Throws: ``HubError``.
  public func text(_ statement: String) throws(HubError) -> String {
    // SAFETY: the string is a C string for the call.
    let rows = try unsafe Self.rows(PQexec(handle, statement), handle)
    return rows.count == 0 ? "" : try rows.text(0, 0) ?? ""
  }

  /// Whether somebody has told of something new since the last time.
  public func takeNotifications() throws(HubError) -> Bool {
    guard unsafe PQconsumeInput(handle) == 1 else { throw .unreachable(unsafe Self.reason(handle)) }
    var hasAny = false
    while let notification = unsafe PQnotifies(handle) {
      hasAny = true
      unsafe PQfreemem(notification)
    }
    return hasAny
  }

  @unsafe
  private static func reason(_ handle: OpaquePointer) -> String {
    unsafe line(String(cString: PQerrorMessage(handle)))
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }

  private static func quoted(_ value: String) -> String {
    var quoted = "'"
    for letter in value {
      if letter == "'" || letter == "\\" { quoted.append("\\") }
      quoted.append(letter)
    }
    return quoted + "'"
  }
}
