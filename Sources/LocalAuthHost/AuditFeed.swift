import LocalAuthCore
import LocalAuthJSON
import LocalAuthService
import LocalAuthWire

/// Gives out the audit: what is there, and to those who follow it what is yet to come.
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

  /// Lines read at a time for a follower.
  private static let page = 100

  private let store: any StateStoring
  private var followers: [ObjectIdentifier: Follower] = [:]

  init(store: any StateStoring) { self.store = store }

  /// Replies with the newest lines of the caller, and goes on when it follows.
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

  /// Something was written to the audit.
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
      // A line is shown once it has its outcome; until then the follower waits at it.
      let ended = lines.prefix { $0.outcome != nil }
      guard ended.count == lines.count, !lines.isEmpty else { return }
      follower.cursor = cursor
      follower.responder.replyContinuing(Self.reply(Array(ended)))
    } catch {
      followers[ObjectIdentifier(follower)] = nil
      follower.responder.fail(.internalError("The audit cannot be read: \(error)"))
    }
  }

  /// The newest of `lines` that fit into one reply; a longer one would end the connection.
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

  /// Bytes of a reply with this line alone, which is a little more than it adds to others.
  private static func size(_ line: DeviceMessages.AuditLine) -> Int {
    var alone = DeviceMessages.AuditReply()
    alone.lines = [line]
    var frame: [UInt8] = []
    do throws(JSONWriteError) {
      try IncomingReply.write(alone, to: &frame)
    } catch {
      // What cannot be written fits nowhere.
      return .max
    }
    return frame.count
  }
}
