import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthWire
import Testing

@Suite struct KeychainMessagesTests {
  /// The frame of a reply with `answer`, without its NUL.
  private func frame(_ answer: KeychainMessages.Answer, room: Int = 1 << 20) throws -> [UInt8] {
    var reply = KeychainMessages.AskReply()
    reply.answer = answer
    var memory = [UInt8](repeating: 0xFF, count: room)
    // SAFETY: the array stays in place in the closure.
    let count = try unsafe memory.withUnsafeMutableBytes {
      try unsafe IncomingReply.write(reply, into: $0)
    }
    #expect(memory[count - 1] == 0)
    return Array(memory[..<(count - 1)])
  }

  @Test func dataTravelsAsBase64OfAnyBytes() throws {
    for count in [0, 1, 2, 3, 4, 64 * 1024] {
      let secret = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      var decoded: [UInt8] = []
      // SAFETY: the arrays stay in place in the closures.
      let frame = try unsafe secret.withUnsafeBytes { bytes in
        var item = KeychainMessages.Item()
        item.data = unsafe WireSecret(base64Of: bytes)
        var answer = KeychainMessages.Answer()
        answer.items = [item]
        return try self.frame(answer)
      }
      try unsafe frame.withUnsafeBytes { bytes in
        let reply = try unsafe IncomingReply(frame: bytes)
        let range = try #require(reply.parameters)
        let read = try unsafe KeychainMessages.AskReply.read(range, of: bytes)
        let data = try #require(read.answer?.items.first?.data)
        try unsafe data.decodeBase64(from: UnsafeRawBufferPointer(rebasing: bytes[range])) {
          decoded.append($0)
          return true
        }
      }
      #expect(decoded == secret)
    }
  }

  @Test func aSecretIsFoundWhereverItIsInAMessage() throws {
    let item = KeychainMessages.NewItem()
    var call = KeychainMessages.AddAllCall()
    call.items = [item, item]
    #expect(!call.holdsSecret)
    var password = call
    password.asking.applicationPassword = WireSecret.none
    #expect(password.holdsSecret)
    call.items[1].data = WireSecret.none
    #expect(call.holdsSecret)
  }

  @Test func replyThatDoesNotFitIsNotWritten() {
    var answer = KeychainMessages.Answer()
    answer.message = String(repeating: "x", count: 100)
    #expect(throws: JSONWriteError.bufferFull) { try frame(answer, room: 100) }
  }

  @Test func everyCallSaysHowSomebodyMayBeAsked() throws {
    let asking =
      #""device":"d","context":3,"reason":"r","interactive":false,"timeoutMilliseconds":5,"#
      + #""scriptIsArgument":true,"allowSimulated":true,"fallbackTitle":"f","cancelTitle":"c","#
      + #""passcodeTries":2"#
    func read<Call: KeychainMessages.AskingCall>(_: Call.Type, _ own: String) throws -> Call {
      let bytes = Array("{\(own),\(asking)}".utf8)
      return try JSONReader.read(bytes.span) { (reader) throws(WireError) in
        try Call.read(&reader)
      }
    }
    let calls: [any KeychainMessages.AskingCall] = [
      try read(KeychainMessages.AddCall.self, #""query":{}"#),
      try read(KeychainMessages.AddAllCall.self, #""items":[{"query":{}}]"#),
      try read(KeychainMessages.CopyCall.self, #""query":{}"#),
      try read(KeychainMessages.UpdateCall.self, #""query":{},"changes":{}"#),
      try read(KeychainMessages.DeleteCall.self, #""query":{}"#),
      try read(KeychainMessages.GenerateKeyCall.self, #""query":{}"#),
      try read(
        KeychainMessages.SignCall.self,
        #""query":{},"algorithm":"a","message":"AQ==""#
      ),
      try read(
        KeychainMessages.ExchangeKeysCall.self,
        #""query":{},"algorithm":"a","publicKey":"AQ==","size":3,"sharedInfo":"""#
      ),
      try read(
        KeychainMessages.EvaluateAccessControlCall.self,
        #""accessControl":{"protection":"ak","flags":[]},"operation":"decrypt""#
      ),
    ]
    for call in calls {
      #expect(call.asking.device == "d")
      #expect(call.asking.context == 3)
      #expect(call.asking.reason == "r")
      #expect(call.asking.interactive == false)
      #expect(call.asking.timeoutMilliseconds == 5)
      #expect(call.asking.scriptIsArgument == true)
      #expect(call.asking.allowSimulated == true)
      #expect(call.asking.fallbackTitle == "f")
      #expect(call.asking.cancelTitle == "c")
      #expect(call.asking.passcodeTries == 2)
    }
  }

  @Test func itemIsNeverLongerThanItsSizeSays() throws {
    let attributes: [ItemAttribute: AttributeValue] = [
      .account: .text(String(repeating: "\u{1}", count: 500)), .label: .text("\"\\é"),
      .generic: .data([UInt8](repeating: 9, count: 100)), .creator: .number(.min),
      .startDay: .date(.min),
    ]
    let everyFlag = try AccessControl(
      .whenPasscodeSetThisDeviceOnly,
      flags: [
        .biometryCurrentSet, .devicePasscode, .companion, .and, .privateKeyUsage,
        .applicationPassword, .eachUse,
      ]
    )
    let item = Item(
      identifier: ItemIdentifier(high: .max, low: .max),
      itemClass: .genericPassword,
      group: String(repeating: "\"", count: 300),
      accessControl: everyFlag,
      isSynchronizable: false,
      created: WallInstant(milliseconds: .min),
      modified: WallInstant(milliseconds: .min),
      attributes: attributes,
      hasData: true
    )
    var sent = KeychainMessages.Item()
    sent.itemClass = item.itemClass.rawValue
    sent.identifier = item.identifier.text
    sent.persistentReference = WireBytes(item.reference.bytes)
    sent.group = item.group
    sent.created = item.created.milliseconds
    sent.modified = item.modified.milliseconds
    sent.accessible = everyFlag.protection.rawValue
    sent.accessControl = WireAccessControl(everyFlag)
    sent.synchronizable = false
    sent.attributes = WireQuery(attributes)
    let secret = [UInt8](repeating: 1, count: 1000)
    // SAFETY: the array stays in place in the closure.
    let size = try unsafe secret.withUnsafeBytes { bytes in
      sent.data = unsafe WireSecret(base64Of: bytes)
      var answer = KeychainMessages.Answer()
      let empty = try frame(answer).count
      answer.items = [sent]
      return try frame(answer).count - empty
    }
    #expect(size <= AnswerSize.bytes(of: item, dataCount: secret.count))
    #expect(AnswerSize.bytesMax < WireLimits().outputBytesMax / 2)
  }
}
