import LocalAuthCore
import LocalAuthJSON
import LocalAuthService
import LocalAuthWire

/// Serves the audit: existing lines, and to followers also new ones.
final class AuditFeed {
  private final class Follower {
    let responder: Responder
    let device: String?
    var cursor: Int64

    init(_ responder: Responder, device: String?, cursor: Int64) {
      self.responder = responder
      self.device = device
      self.cursor = cursor
    }
  }

  /// The number of lines read at a time for a follower.
  private static let page = 100

  private let store: any StateStoring
  private var followers: [ObjectIdentifier: Follower] = [:]

  init(store: any StateStoring) { self.store = store }

  /// Replies with the owner's newest lines and, if `follows`, continues with new ones.
  func read(for responder: Responder, device: String?, limit: Int, follows: Bool) {
    do throws(StorageError) {
      let (lines, cursor) = try store.audit(
        owner: responder.caller.owner,
        device: device,
        after: nil,
        limit: limit
      )
      guard follows else { return responder.reply(Self.reply(lines)) }
      responder.replyContinuing(Self.reply(lines))
      let follower = Follower(responder, device: device, cursor: cursor)
      followers[ObjectIdentifier(follower)] = follower
      responder.onCancel = { [weak self] in self?.followers[ObjectIdentifier(follower)] = nil }
    } catch {
      responder.fail(.internalError("The audit cannot be read: \(error)"))
    }
  }

  /// Sends new lines to the followers; called after the audit was written to.
  func changed() {
    for follower in followers.values { feed(follower) }
  }

  private func feed(_ follower: Follower) {
    do throws(StorageError) {
      let (lines, cursor) = try store.audit(
        owner: follower.responder.caller.owner,
        device: follower.device,
        after: follower.cursor,
        limit: Self.page
      )
      // Lines are sent once they have their outcome. A page with an unfinished line is held back
      // whole.
      let ended = lines.prefix { $0.outcome != nil }
      guard ended.count == lines.count, !lines.isEmpty else { return }
      follower.cursor = cursor
      follower.responder.replyContinuing(Self.reply(Array(ended)))
    } catch {
      followers[ObjectIdentifier(follower)] = nil
      follower.responder.fail(.internalError("The audit cannot be read: \(error)"))
    }
  }

  /// A reply with the newest of `lines` that fit into one; a longer reply would end the connection.
  private static func reply(_ lines: [AuditRecord]) -> DeviceMessages.AuditReply {
    var reply = DeviceMessages.AuditReply()
    var left = WireLimits().auditBytesMax
    for record in lines.reversed() {
      let line = DeviceMessages.AuditLine(record)
      let size = size(line)
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
