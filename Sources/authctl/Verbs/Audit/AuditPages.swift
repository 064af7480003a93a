import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

/// Reads the audit from its end towards its beginning, one answer at a time.
struct AuditPages: ~Copyable {
  /// How many lines to ask for at once, about as many as fit into one answer.
  static let pageSize: Int64 = 1000

  private let context: VerbContext
  private var call: DeviceMessages.AuditCall
  private var connection: DaemonConnection?
  private let startsDaemon: Bool
  private var isAtBeginning = false

  /// Begins with the newest line that `call` means, or before `reply` if that was the newest page.
  init(
    _ call: DeviceMessages.AuditCall,
    after reply: DeviceMessages.AuditReply? = nil,
    _ context: VerbContext
  ) {
    self.call = call
    self.call.follow = nil
    self.call.limit = Self.pageSize
    self.context = context
    startsDaemon = reply == nil
    if let reply { note(reply) }
  }

  /// Returns the next older page, its lines in the order of storage; empty at the beginning.
  ///
  /// `limit` is how many lines are wanted.
  mutating func next(_ limit: Int = .max) throws(Failure) -> [DeviceMessages.AuditLine] {
    guard !isAtBeginning else { return [] }
    call.limit = min(Self.pageSize, Int64(limit))
    var open =
      if let held = connection.take() {
        held
      } else {
        try startsDaemon ? context.connect() : context.connectToRunning()
      }
    let reply: DeviceMessages.AuditReply
    do throws(ClientError) {
      reply = try open.call(Methods.audit, call)
    } catch {
      throw Failure(error, typed: context.typed())
    }
    connection = consume open
    note(reply)
    return reply.lines
  }

  private mutating func note(_ reply: DeviceMessages.AuditReply) {
    call.before = reply.lines.first?.evaluation
    isAtBeginning =
      reply.lines.isEmpty || reply.omitted == 0 && reply.lines.count < call.limit ?? 0
  }

  /// Returns the newest `limit` lines that `filter` lets through, in the order of their times.
  static func newest(
    _ limit: Int,
    of call: DeviceMessages.AuditCall,
    _ filter: AuditFilter,
    _ context: VerbContext
  ) throws(Failure) -> [DeviceMessages.AuditLine] {
    var pages = AuditPages(call, context)
    var found: [[DeviceMessages.AuditLine]] = []
    var missing = limit
    while missing > 0 {
      // Where all lines are wanted, no more are read than will be shown.
      let page = try pages.next(filter.isOpen ? missing : .max)
      guard !page.isEmpty else { break }
      let matches = page.filter { filter.matches($0) }.suffix(missing)
      missing -= matches.count
      found.append(Array(matches))
    }
    return found.reversed().flatMap(\.self).inOrder
  }
}
