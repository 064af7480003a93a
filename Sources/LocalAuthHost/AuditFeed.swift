import LocalAuthCore
import LocalAuthJSON
import LocalAuthService
import LocalAuthWire

/// Serves the audit: existing lines, and to followers each further one once it has its outcome.
final class AuditFeed {
  private struct Follower {
    let responder: Responder
    let device: String?
  }

  private let store: any StateStoring
  private let limits: WireLimits
  private var followers: [ObjectIdentifier: Follower] = [:]

  init(store: any StateStoring, limits: WireLimits) {
    self.store = store
    self.limits = limits
  }

  /// Replies with the owner's newest lines, or with those stored before the line `before`, and if
  /// `follows`, continues with new ones.
  ///
  /// A line among the newest whose evaluation is under way has no outcome yet, and is sent again
  /// with it.
  func read(
    for responder: Responder,
    device: String?,
    before: EvaluationID?,
    limit: Int,
    follows: Bool
  ) {
    do throws(StorageError) {
      let lines = try store.audit(
        owner: responder.caller.owner,
        device: device,
        before: before,
        limit: limit
      )
      guard follows else { return responder.reply(reply(lines)) }
      // Before the reply, which may end the connection.
      let follower = ObjectIdentifier(responder)
      followers[follower] = Follower(responder: responder, device: device)
      responder.onCancel = { [weak self] in self?.followers[follower] = nil }
      responder.replyContinuing(reply(lines))
    } catch {
      responder.fail(.internalError("The audit cannot be read: \(error)"))
    }
  }

  /// Sends a line that has its outcome and is durable to the followers of its device.
  func add(_ line: AuditRecord) {
    let interested = followers.values.filter { follower in
      follower.responder.caller.owner == line.device.owner
        && follower.device ?? line.device.name == line.device.name
    }
    guard !interested.isEmpty else { return }
    let reply = reply([line])
    for follower in interested { follower.responder.replyContinuing(reply) }
  }

  /// A reply with the newest of `lines` that fit into one; a longer reply would end the connection.
  private func reply(_ lines: [AuditRecord]) -> DeviceMessages.AuditReply {
    var reply = DeviceMessages.AuditReply()
    var left = limits.auditBytesMax
    for record in lines.reversed() {
      let line = DeviceMessages.AuditLine(record)
      let size = Self.size(line)
      guard size <= left else { break }
      left -= size
      reply.lines.append(line)
    }
    reply.lines.reverse()
    reply.omitted = Int64(lines.count - reply.lines.count)
    return reply
  }

  /// The bytes of a reply with only this line, slightly more than the line adds to a longer reply.
  private static func size(_ line: DeviceMessages.AuditLine) -> Int {
    var alone = DeviceMessages.AuditReply()
    alone.lines = [line]
    var frame: [UInt8] = []
    do throws(JSONWriteError) {
      try IncomingReply.write(alone, to: &frame)
    } catch {
      // A line that cannot be written fits no reply.
      return .max
    }
    return frame.count
  }
}
