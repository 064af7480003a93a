import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

extension KeychainMessages.AskReply {
  /// What an evaluation under way says, as the wire has it.
  init(_ event: SessionEvent, _ request: EvaluationRequest, _ caller: Caller) {
    self.init()
    let reply = AuthenticationMessages.EvaluateReply(event, request, caller)
    queued = reply.queued
    prompt = reply.prompt
    notice = reply.notice
  }

  /// The last reply to a call with more data than an item may have.
  static func dataTooLarge(_ limits: WireLimits) -> Self {
    var answer = KeychainMessages.Answer()
    let code = OutcomeCode.keychainError
    answer.status = Int64(KeychainStatus.dataTooLarge.rawValue)
    answer.outcome = code.rawValue
    answer.exit = Int64(code.exit)
    answer.message = "An item's data has at most \(limits.itemBytesMax) bytes; store less of it."
    var reply = Self()
    reply.answer = answer
    return reply
  }
}

extension KeychainAnswer {
  /// The last reply as the wire has it, still without its items.
  fileprivate var onTheWire: KeychainMessages.Answer {
    var answer = KeychainMessages.Answer()
    let code = error?.outcome ?? .success
    answer.status = Int64(error?.status.rawValue ?? KeychainStatus.success.rawValue)
    answer.outcome = code.rawValue
    answer.exit = Int64(code.exit)
    answer.laError = code.laError.map(Int64.init)
    answer.message = error?.sentence ?? KeychainStatus.success.message
    answer.evaluation = evaluation.map { AuthenticationMessages.Result($0) }
    answer.next = next?.text
    if case .signature(let bytes)? = keyUse { answer.signature = WireBytes(bytes) }
    return answer
  }
}

extension Item {
  /// The item with its data, and with as much of it as `returns` asks for, as the wire has it.
  fileprivate func onTheWire(_ returns: ReturnSet, _ data: WireSecret?) -> KeychainMessages.Item {
    var item = KeychainMessages.Item()
    item.itemClass = itemClass.rawValue
    item.identifier = identifier.text
    item.data = data
    if returns.contains(.persistentReference) {
      item.persistentReference = WireBytes(reference.bytes)
    }
    // A program that wants its own object of the item makes it from the attributes.
    guard !returns.isDisjoint(with: [.attributes, .reference]) else { return item }
    item.group = group
    item.created = created.milliseconds
    item.modified = modified.milliseconds
    item.accessible = accessControl.protection.rawValue
    if !accessControl.flags.isEmpty { item.accessControl = WireAccessControl(accessControl) }
    item.synchronizable = isSynchronizable
    let shown = ResultAttributes(of: self, withDigest: returns.contains(.data))
    item.attributes = WireQuery(shown.values.filter { !Item.fields.contains($0.key) })
    return item
  }
}

extension KeychainCursor {
  /// Eight hexadecimal digits of the group and 64 of the hash, which say nothing to a client.
  var text: String {
    let number = UInt32(clamping: group)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    return String(hexadecimal: bytes + key.bytes)
  }

  /// The cursor that ``text`` gave; nil for any other text.
  init?(text: String) {
    guard text.utf8.count == 72 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text.utf8 {
      guard let value = Self.value(of: digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard let key = ItemHash(bytes: bytes[4...]) else { return nil }
    self.init(group: bytes[..<4].reduce(0) { $0 << 8 | Int($1) }, key: key)
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension Responder {
  /// Sends `answer` as the last reply; what holds data is composed in memory that is wiped.
  func reply(_ answer: KeychainAnswer, _ limits: WireLimits) {
    if case .sharedSecret(let box)? = answer.keyUse, let secret = box.take() {
      return reply(answer, sharedSecret: secret)
    }
    var reply = KeychainMessages.AskReply()
    var last = answer.onTheWire
    last.items.reserveCapacity(answer.items.count)
    guard answer.items.contains(where: { $0.data != nil }) else {
      for found in answer.items { last.items.append(found.item.onTheWire(answer.returns, nil)) }
      reply.answer = last
      return self.reply(reply)
    }
    let size = answer.items.reduce(0) { $0 + ($1.data?.count ?? 0) }
    var all = Secret(capacity: size)
    // SAFETY: the bytes stay in place while the reply is written, after which nothing points there.
    unsafe all.withUnsafeMutableBytes { room, used in
      for found in answer.items {
        var data: WireSecret?
        if let secret = found.data?.take() {
          let place = unsafe secret.copy(to: room, at: used)
          used += place.count
          data = unsafe WireSecret(base64Of: place)
        }
        last.items.append(found.item.onTheWire(answer.returns, data))
      }
      reply.answer = last
      replySecretly(reply, holding: size, sizeMax: limits.outputBytesMax - 1)
    }
  }
}

extension Responder {
  /// The same for what keys agreed on.
  private func reply(_ answer: KeychainAnswer, sharedSecret: borrowing Secret) {
    var reply = KeychainMessages.AskReply()
    var last = answer.onTheWire
    // SAFETY: the bytes stay in place while the reply is written, after which nothing points there.
    unsafe sharedSecret.withUnsafeBytes { bytes in
      last.sharedSecret = unsafe WireSecret(base64Of: bytes)
      reply.answer = last
      // A derived secret has at most 8160 bytes.
      replySecretly(reply, holding: bytes.count, sizeMax: 16_000)
    }
  }
}

extension Secret {
  /// Copies all of it to `room` from `start` on, where there is room for it, and says where it is.
  @unsafe
  fileprivate borrowing func copy(
    to room: UnsafeMutableRawBufferPointer,
    at start: Int
  ) -> UnsafeRawBufferPointer {
    precondition(count <= room.count - start, "there is room for every secret")
    let place = unsafe UnsafeMutableRawBufferPointer(rebasing: room[start..<start + count])
    // SAFETY: the bytes are copied while they are lent.
    unsafe withUnsafeBytes { unsafe place.copyMemory(from: $0) }
    return UnsafeRawBufferPointer(place)
  }
}
