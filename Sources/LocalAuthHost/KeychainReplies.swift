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

  /// The last reply.
  init(_ answer: KeychainMessages.Answer) {
    self.init()
    self.answer = answer
  }

  /// The last reply to a call with more data than an item may have.
  static func dataTooLarge(_ limits: WireLimits, failedItem: Int? = nil) -> Self {
    var answer = KeychainMessages.Answer()
    let code = OutcomeCode.keychainError
    answer.status = Int64(KeychainStatus.dataTooLarge.rawValue)
    answer.outcome = code.rawValue
    answer.exit = Int64(code.exit)
    answer.failedItem = failedItem.map { Int64($0) }
    answer.message = "An item's data has at most \(limits.itemBytesMax) bytes; store less of it."
    return Self(answer)
  }
}

extension KeychainMessages.Answer {
  /// The answer as the wire has it, with the data of each item where `data` has it.
  fileprivate init(
    _ answer: KeychainAnswer,
    _ data: [WireSecret?],
    sharedSecret: WireSecret? = nil
  ) {
    self.init()
    let code = answer.error?.outcome ?? .success
    status = Int64(answer.error?.status.rawValue ?? KeychainStatus.success.rawValue)
    outcome = code.rawValue
    exit = Int64(code.exit)
    laError = code.laError.map(Int64.init)
    message = answer.error?.sentence ?? KeychainStatus.success.message
    failedItem = answer.failedItem.map { Int64($0) }
    evaluation = answer.evaluation.map { AuthenticationMessages.Result($0) }
    items = zip(answer.items, data).map { found, data in
      KeychainMessages.Item(found.item, answer.returns, data)
    }
    next = answer.next?.text
    if case .signature(let bytes)? = answer.keyUse { signature = WireBytes(bytes) }
    self.sharedSecret = sharedSecret
  }
}

extension KeychainMessages.Item {
  /// An item with as much of it as `returns` asks for.
  fileprivate init(_ item: Item, _ returns: ReturnSet, _ data: WireSecret?) {
    self.init()
    itemClass = item.itemClass.rawValue
    identifier = item.identifier.text
    self.data = data
    if returns.contains(.persistentReference) {
      persistentReference = WireBytes(item.reference.bytes)
    }
    // A program that wants its own object of the item makes it from the attributes.
    guard !returns.isDisjoint(with: [.attributes, .reference]) else { return }
    group = item.group
    created = item.created.milliseconds
    modified = item.modified.milliseconds
    accessible = item.accessControl.protection.rawValue
    if !item.accessControl.flags.isEmpty { accessControl = WireAccessControl(item.accessControl) }
    synchronizable = item.isSynchronizable
    let shown = ResultAttributes(of: item, withDigest: returns.contains(.data))
    attributes = WireQuery(shown.values.filter { !Item.fields.contains($0.key) })
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
    let size = answer.items.reduce(0) { $0 + ($1.data?.count ?? 0) }
    guard answer.items.contains(where: { $0.data != nil }) else {
      let none = [WireSecret?](repeating: nil, count: answer.items.count)
      return reply(KeychainMessages.AskReply(KeychainMessages.Answer(answer, none)))
    }
    var all = Secret(capacity: size)
    var ranges: [Range<Int>?] = []
    for item in answer.items {
      if let data = item.data?.take() {
        ranges.append(all.append(contentsOf: data))
      } else {
        ranges.append(nil)
      }
    }
    // SAFETY: the bytes stay in place while the reply is written, after which nothing points there.
    unsafe all.withUnsafeBytes { bytes in
      let data = ranges.map { range in
        range.map { unsafe WireSecret(base64Of: UnsafeRawBufferPointer(rebasing: bytes[$0])) }
      }
      replySecretly(
        KeychainMessages.AskReply(KeychainMessages.Answer(answer, data)),
        sizes: [
          1000, 4000, limits.frameBytesMax, limits.outputBytesMax / 2, limits.outputBytesMax - 1,
        ]
        .filter { $0 > size }
      )
    }
  }
}

extension Responder {
  /// The same for what keys agreed on.
  private func reply(_ answer: KeychainAnswer, sharedSecret: borrowing Secret) {
    // SAFETY: the bytes stay in place while the reply is written, after which nothing points there.
    unsafe sharedSecret.withUnsafeBytes { bytes in
      let secret = unsafe WireSecret(base64Of: bytes)
      let reply = KeychainMessages.AskReply(
        KeychainMessages.Answer(answer, [], sharedSecret: secret)
      )
      // A derived secret has at most 8160 bytes.
      replySecretly(reply, sizes: [4000, 16_000])
    }
  }
}
