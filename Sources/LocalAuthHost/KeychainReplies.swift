import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

extension KeychainMessages.AskReply: EvaluatingReply {
  /// The last reply to a call with more data than an item may hold.
  static func dataTooLarge(_ limits: WireLimits, failedItem: Int? = nil) -> Self {
    let code = OutcomeCode.keychainError
    var reply = Self()
    reply.answer = KeychainMessages.Answer()
    reply.answer?.status = Int64(KeychainStatus.dataTooLarge.rawValue)
    reply.answer?.outcome = code.rawValue
    reply.answer?.exit = Int64(code.exit)
    reply.answer?.failedItem = failedItem.map { Int64($0) }
    reply.answer?.message =
      "An item's data has at most \(limits.itemBytesMax) bytes; store less of it."
    return reply
  }
}

// Both are filled in place: they are large enough for copies to show in the time of a call.

extension KeychainMessages.Answer {
  /// Takes everything of `answer` but its items and its shared secret.
  fileprivate mutating func take(_ answer: KeychainAnswer) {
    let code = answer.error?.outcome ?? .success
    status = Int64(answer.error?.status.rawValue ?? KeychainStatus.success.rawValue)
    outcome = code.rawValue
    exit = Int64(code.exit)
    laError = code.laError.map(Int64.init)
    message = answer.error?.sentence ?? KeychainStatus.success.message
    failedItem = answer.failedItem.map { Int64($0) }
    evaluation = answer.evaluation.map { AuthenticationMessages.Result($0) }
    count = answer.count.map { Int64($0) }
    next = answer.next?.text
    if case .signature(let bytes)? = answer.keyUse { signature = WireBytes(bytes) }
  }

  /// Appends `item` with `data` and the parts that `returns` asks for.
  fileprivate mutating func add(_ item: Item, _ returns: ReturnSet, _ data: WireSecret?) {
    items.append(KeychainMessages.Item())
    items[items.count - 1].take(item, returns, data)
  }
}

extension KeychainMessages.Item {
  fileprivate mutating func take(_ item: Item, _ returns: ReturnSet, _ data: WireSecret?) {
    itemClass = item.itemClass.rawValue
    identifier = item.identifier.text
    self.data = data
    if returns.contains(.persistentReference) {
      persistentReference = WireBytes(item.reference.bytes)
    }
    // A program that asks for a reference makes its object from the attributes.
    guard !returns.isDisjoint(with: [.attributes, .reference]) else { return }
    group = item.group
    created = item.created.milliseconds
    modified = item.modified.milliseconds
    accessible = item.accessControl.protection.rawValue
    if !item.accessControl.flags.isEmpty { accessControl = WireAccessControl(item.accessControl) }
    synchronizable = item.isSynchronizable
    let shown = ResultAttributes(of: item, withDigest: returns.contains(.data))
    // Of the fields only this one has no member of its own: callers rarely ask for it, and it is
    // rarely true.
    attributes = WireQuery(
      shown.values.filter { entry in
        entry.key == .tombstone ? item.isTombstone : !Item.fields.contains(entry.key)
      }
    )
  }
}

extension KeychainCursor {
  /// Hexadecimal digits, opaque to clients: eight of the group and 64 of the hash, or 32 of the
  /// identifier.
  var text: String {
    switch self {
    case .key(let key, let group):
      let number = UInt32(clamping: group)
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      return String(hexadecimal: bytes + key.bytes)
    case .age(let identifier): return String(hexadecimal: identifier.bytes)
    }
  }

  /// Reads the cursor that ``text`` gave; nil for any other text.
  init?(text: String) {
    guard let bytes = [UInt8](hexadecimal: text) else { return nil }
    if bytes.count == 16 {
      guard let identifier = ItemIdentifier(bytes: bytes) else { return nil }
      self = .age(identifier)
    } else {
      guard let key = ItemHash(bytes: bytes.dropFirst(4)) else { return nil }
      self = .key(key, group: bytes[..<4].reduce(0) { $0 << 8 | Int($1) })
    }
    guard self.text == text else { return nil }
  }
}

extension Responder {
  /// Sends `answer` as the last reply; a reply with secrets is composed in memory that is wiped.
  func reply(_ answer: KeychainAnswer, _ limits: WireLimits) {
    if case .sharedSecret(let box)? = answer.keyUse, let secret = box.take() {
      return reply(answer, sharedSecret: secret)
    }
    var reply = KeychainMessages.AskReply()
    reply.answer = KeychainMessages.Answer()
    reply.answer?.take(answer)
    guard answer.items.contains(where: { $0.data != nil }) else {
      for found in answer.items { reply.answer?.add(found.item, answer.returns, nil) }
      return self.reply(reply)
    }
    let size = answer.items.reduce(0) { $0 + ($1.data?.count ?? 0) }
    var all = Secret(capacity: size)
    // SAFETY: the bytes stay in place while the reply is written; nothing points to them
    // afterwards.
    unsafe all.withUnsafeMutableBytes { room, used in
      for found in answer.items {
        var data: WireSecret?
        if let secret = found.data?.take() {
          let place = unsafe secret.copy(to: room, at: used)
          used += place.count
          data = unsafe WireSecret(base64Of: place)
        }
        reply.answer?.add(found.item, answer.returns, data)
      }
      replySecretly(reply, holding: size, sizeMax: limits.outputBytesMax - 1)
    }
  }
}

extension Responder {
  /// Sends an answer that carries a shared secret.
  private func reply(_ answer: KeychainAnswer, sharedSecret: borrowing Secret) {
    var reply = KeychainMessages.AskReply()
    reply.answer = KeychainMessages.Answer()
    reply.answer?.take(answer)
    // SAFETY: the bytes stay in place while the reply is written; nothing points to them
    // afterwards.
    unsafe sharedSecret.withUnsafeBytes { bytes in
      reply.answer?.sharedSecret = unsafe WireSecret(base64Of: bytes)
      // A derived secret has at most 8160 bytes.
      replySecretly(reply, holding: bytes.count, sizeMax: 16_000)
    }
  }
}

extension Secret {
  /// Copies the secret to `room` at `start` and returns its place there; traps if it does not fit.
  @unsafe
  fileprivate borrowing func copy(
    to room: UnsafeMutableRawBufferPointer,
    at start: Int
  ) -> UnsafeRawBufferPointer {
    precondition(count <= room.count - start, "there is room for every secret")
    let place = unsafe UnsafeMutableRawBufferPointer(rebasing: room[start..<start + count])
    // SAFETY: the bytes are copied inside the closure that lends them.
    unsafe withUnsafeBytes { unsafe place.copyMemory(from: $0) }
    return UnsafeRawBufferPointer(place)
  }
}
