import LocalAuthClient
import LocalAuthCore
import LocalAuthUnix
import LocalAuthWire

/// `authctl audit --follow`: prints each state of each line once, across daemons.
///
/// A line is known by its evaluation or act. After a daemon ended, the lines stored since are read
/// from the next one, so that none is missed, and those told already are left out, so that none is
/// repeated.
struct AuditFollower {
  /// How many lines to remember; the older half is forgotten beyond that.
  static let mostRemembered = 100_000

  private let call: DeviceMessages.AuditCall
  private let filter: AuditFilter
  private let limit: Int
  private let context: VerbContext
  private var names = AccountNames()
  private var told = ToldLines(limit: mostRemembered)
  private var hasBegun = false

  init(
    _ call: DeviceMessages.AuditCall,
    _ filter: AuditFilter,
    limit: Int,
    _ context: VerbContext
  ) {
    var call = call
    call.follow = true
    call.limit = AuditPages.pageSize
    self.call = call
    self.filter = filter
    self.limit = limit
    self.context = context
  }

  /// Prints lines until output fails or a signal ends this process.
  mutating func run() throws(Failure) -> Never {
    var connection = try context.connect()
    while true {
      do throws(FollowEnd) {
        try follow(&connection)
      } catch .failure(let failure) {
        throw failure
      } catch {
        connection = try context.connectToNextDaemon()
      }
    }
  }

  private enum FollowEnd: Error {
    /// The daemon ended, or the connection did.
    case daemonEnded
    case failure(Failure)
  }

  private mutating func follow(_ connection: inout DaemonConnection) throws(FollowEnd) {
    let call = call
    try reading { () throws(ClientError) in try connection.begin(Methods.audit, call) }
    var (reply, continues) = try reading { () throws(ClientError) in
      try connection.next(Methods.audit)
    }
    do throws(Failure) {
      try tell(hasBegun ? try missed(reply) : try first(reply))
      hasBegun = true
    } catch {
      // A daemon that ended while older lines were read is waited for as well.
      throw error.outcome == .unreachable ? .daemonEnded : .failure(error)
    }
    while continues {
      (reply, continues) = try reading { () throws(ClientError) in
        try connection.next(Methods.audit)
      }
      do throws(Failure) { try tell(reply.lines) } catch { throw .failure(error) }
    }
    throw .daemonEnded
  }

  private func reading<Value>(
    _ body: () throws(ClientError) -> Value
  ) throws(FollowEnd) -> Value {
    do throws(ClientError) {
      return try body()
    } catch {
      if case .unreachable = error { throw .daemonEnded }
      throw .failure(Failure(error, typed: context.typed()))
    }
  }

  // MARK: What to tell

  /// The lines to begin with; older ones count as told.
  private mutating func first(
    _ reply: DeviceMessages.AuditReply
  ) throws(Failure) -> [DeviceMessages.AuditLine] {
    var lines = reply.lines
    var pages = AuditPages(call, after: reply, context)
    // One page is enough unless a filter lets too few of its lines through.
    while lines.count(where: { filter.matches($0) }) < limit {
      let page = try pages.next(filter.isOpen ? limit - lines.count : .max)
      guard !page.isEmpty else { break }
      lines = page + lines
    }
    let shown = lines.filter { filter.matches($0) }.suffix(limit)
    let first = shown.first?.evaluation
    for line in lines.prefix(while: { $0.evaluation != first }) { _ = told.isNew(line) }
    return Array(shown)
  }

  /// The lines stored since the first one that is remembered.
  private func missed(
    _ reply: DeviceMessages.AuditReply
  ) throws(Failure) -> [DeviceMessages.AuditLine] {
    var lines = reply.lines
    var pages = AuditPages(call, after: reply, context)
    while !lines.contains(where: { $0.evaluation == told.first }) {
      let page = try pages.next()
      guard !page.isEmpty else { return lines }
      lines = page + lines
    }
    return Array(lines.drop { $0.evaluation != told.first })
  }

  private mutating func tell(_ lines: [DeviceMessages.AuditLine]) throws(Failure) {
    let ordered = lines.inOrder
    // In the order of storage, so that the first one remembered is the oldest.
    let new = Set(lines.filter { told.isNew($0) }.map(\.evaluation))
    for line in ordered where new.contains(line.evaluation) && filter.matches(line) {
      guard isWritten(line) else { throw .unwritableOutput }
    }
  }

  private mutating func isWritten(_ line: DeviceMessages.AuditLine) -> Bool {
    guard context.output.wantsJSON else {
      return context.output.write(AuditText.lines(line, &names).joined(separator: "\n") + "\n")
    }
    return context.output.writeLine(
      Report("A line of the audit.") { writer in
        writer.member("line") { AuditText.write(line, to: &$0) }
      }
    )
  }
}
