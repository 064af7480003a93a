import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

@Suite struct KeychainStreamTests {
  private static let item = #"{"class":"genp","identifier":"00000000-0000-4000-8000-000000000001""#

  private static func answer(
    _ outcome: OutcomeCode = .success,
    status: Int = 0,
    items: String = "",
    more: String = ""
  ) -> String {
    """
    {"parameters":{"answer":{"status":\(status),"outcome":"\(outcome.rawValue)",\
    "exit":\(outcome.exit),"message":"m"\(more),"items":[\(items)]}}}
    """
  }

  private func copyCall(
    _ query: QueryDictionary = ["class": .text("genp")]
  ) throws
    -> KeychainMessages.CopyCall
  {
    var call = KeychainMessages.CopyCall()
    call.query = try WireQuery(query)
    return call
  }

  /// The answer to a copy call, or the kind of the error in its place.
  private func copy(
    _ reply: String,
    on device: DeviceChoice
  ) throws -> (answer: RemoteAnswer?, error: String) {
    try withFakeDaemon { daemon, request in
      daemon.reply(reply, to: request)
    } _: { daemon in
      var stream = try KeychainStream(on: device, at: address(of: daemon))
      try stream.begin(Methods.copyItems, copyCall())
      do throws(ClientError) {
        guard case .result(let answer) = try stream.next() else { return (nil, "another event") }
        return (answer, "none")
      } catch {
        return (nil, kind(error))
      }
    }
  }

  private func bytes(_ box: SecretBox?) -> [UInt8]? {
    guard let secret = box?.take() else { return nil }
    // SAFETY: the bytes are copied within the call.
    return unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }

  @Test func requestSaysWhichDeviceAndWhetherSimulatedCounts() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(Self.answer(), to: request)
    } _: { daemon in
      let chosen = try choice(nil, ["LOCALAUTH_DEVICE": "sim"])
      var stream = try KeychainStream(on: chosen, at: address(of: daemon))
      var call = KeychainMessages.AddCall()
      call.query = try WireQuery(["class": .text("genp"), "v_Data": .secret])
      call.asking.device = "another"
      call.asking.allowSimulated = true
      let data = secret("hunter2")
      try data.lendData { (secret) throws(ClientError) in
        var call = call
        call.data = secret
        try stream.begin(Methods.addItem, call)
      }
      _ = try stream.next()
      #expect(
        daemon.requests.first?.text == #"{"method":"io.localauth.Keychain.Add","parameters":{"#
          + #""query":{"class":"genp"},"data":"aHVudGVyMg==","device":"sim","#
          + #""allowSimulated":false},"more":true}"#
      )
    }
  }

  @Test func itemIsReadWithAllThatIsKnownOfIt() throws {
    let found =
      Self.item + """
        ,"persistentReference":"Z2VucAAAAAAAAEAAgAAAAAAAAAE=","group":"local","created":1,"modified":2,\
        "accessible":"ak","accessControl":{"protection":"ak","flags":["biometryAny"]},\
        "synchronizable":false,"attributes":{"acct":"me","gena":{"data":"AAE="}},"data":"AP8="}
        """
    let answer = try #require(try copy(Self.answer(items: found), on: choice("sim")).answer)
    #expect(answer.outcome == .success)
    #expect(answer.status == .success)
    let item = try #require(answer.items.first)
    let identifier = ItemIdentifier(high: 0x4000, low: 0x8000_0000_0000_0001)
    #expect(item.itemClass == .genericPassword)
    #expect(item.identifier == identifier)
    #expect(item.reference == .item(.genericPassword, identifier))
    #expect(item.item?.group == "local")
    #expect(item.item?.attributes == [.account: .text("me"), .generic: .data([0, 1])])
    #expect(item.item?.accessControl.flags == .biometryAny)
    #expect(item.item?.created.milliseconds == 1)
    #expect(item.item?.modified.milliseconds == 2)
    #expect(item.item?.hasData == true)
    #expect(bytes(item.data) == [0, 255])
    #expect(bytes(item.data) == nil)
  }

  @Test func itemOfWhichNothingWasAskedHasItsName() throws {
    let answer = try copy(Self.answer(items: Self.item + "}"), on: choice("sim")).answer
    let item = try #require(answer?.items.first)
    #expect(item.item == nil)
    #expect(item.reference == nil)
    #expect(item.data == nil)
  }

  @Test func failureKeepsItsStatusAndItsRow() throws {
    let reply = Self.answer(.itemNotFound, status: -25_300)
    let answer = try #require(try copy(reply, on: choice("sim")).answer)
    #expect(answer.outcome == .itemNotFound)
    #expect(answer.status == .itemNotFound)
    #expect(answer.message == "m")
  }

  @Test func answerThatContradictsItselfIsRefused() throws {
    let failed = #","evaluation":\#(resultJSON("timeout", exit: 6))"#
    for reply in [
      Self.answer(status: -50), Self.answer(.itemNotFound), Self.answer(status: 12_345),
      Self.answer(.itemNotFound, status: -25_300, items: Self.item + "}"),
      Self.answer(.itemNotFound, status: -25_300, more: #","next":"00""#),
      Self.answer(.success, more: failed),
      Self.answer(items: #"{"class":"nope","identifier":"00000000-0000-4000-8000-000000000001"}"#),
      Self.answer(items: #"{"class":"genp","identifier":"1"}"#),
      Self.answer(items: Self.item + #","data":"A"}"#),
      Self.answer(items: Self.item + #","group":"g"}"#),
      Self.answer().replacing(#""exit":0"#, with: #""exit":1"#),
      Self.answer().replacing("success", with: "splendid"),
      Self.answer().replacing("}}}", with: #"}},"continues":true}"#), #"{"parameters":{}}"#,
    ] {
      #expect(try copy(reply, on: choice("sim")).error == "protocolError", "\(reply)")
    }
  }

  @Test func simulatedProofIsCheckedHereOnceMore() throws {
    let proven = #","evaluation":\#(resultJSON("success", exit: 0))"#
    let reply = Self.answer(items: Self.item + #","data":"AP8="}"#, more: proven)
    let named = try #require(try copy(reply, on: choice("sim")).answer)
    #expect(named.outcome == .success)
    let chosen = try choice(nil, ["LOCALAUTH_DEVICE": "sim"])
    let refused = try #require(try copy(reply, on: chosen).answer)
    #expect(refused.outcome == .simulatedNotAllowed)
    #expect(refused.status == .authFailed)
    #expect(refused.items.isEmpty)
  }

  @Test func callsFollowOneAnotherOnOneConnectionAndPromptsAreAnsweredOnAnother() throws {
    try withFakeDaemon { daemon, request in
      if request.text.contains("Respond") {
        daemon.reply("{}", to: request)
        daemon.send(Self.answer(), on: 0)
      } else if request.text.contains("Delete") {
        daemon.reply(Self.answer(), to: request)
      } else if request.text.contains("Groups") {
        daemon.reply(#"{"parameters":{"applicationIdentifier":"a","groups":["g"]}}"#, to: request)
      } else if request.text.contains("Invalidate") {
        daemon.reply("{}", to: request)
      } else {
        let prompt = #"{"prompt":\#(promptJSON(nonce: "n1"))}"#
        daemon.reply(#"{"parameters":\#(prompt),"continues":true}"#, to: request)
      }
    } _: { daemon in
      var stream = try KeychainStream(on: choice("sim"), at: address(of: daemon))
      try stream.begin(Methods.copyItems, copyCall())
      guard case .prompt(let prompt) = try stream.next() else {
        Issue.record("no prompt")
        return
      }
      try stream.answers.respond(nonce: prompt.nonce, passcode: secret("2468"))
      guard case .result = try stream.next() else {
        Issue.record("no answer")
        return
      }
      var call = KeychainMessages.DeleteCall()
      call.query = try WireQuery(["class": .text("genp")])
      try stream.begin(Methods.deleteItems, call)
      guard case .result = try stream.next() else {
        Issue.record("no second answer")
        return
      }
      #expect(try stream.groups().groups == ["g"])
      try stream.invalidate(context: 7)
      #expect(daemon.requests.map(\.connection) == [0, 1, 0, 0, 0])
      #expect(daemon.requests.last?.text.contains(#""parameters":{"context":7}"#) ?? false)
    }
  }

  private func goesOn(_ call: inout KeychainMessages.CopyCall, after answer: RemoteAnswer) -> Bool {
    call.goOn(after: answer)
  }

  @Test func listGoesOnUntilItIsWholeOrLongEnough() throws {
    let cut = try #require(
      try copy(
        Self.answer(items: Self.item + "}", more: #","next":"00aa""#),
        on: choice("sim")
      ).answer
    )
    let whole = try #require(
      try copy(Self.answer(items: Self.item + "}"), on: choice("sim")).answer
    )

    var all = try copyCall(["class": .text("genp"), "m_Limit": .text("m_LimitAll")])
    #expect(goesOn(&all, after: cut) == true)
    #expect(all.after == "00aa")
    #expect(all.query.dictionary["m_Limit"] == .text("m_LimitAll"))
    #expect(goesOn(&all, after: whole) == false)

    var two = try copyCall(["class": .text("genp"), "m_Limit": .number(2)])
    #expect(goesOn(&two, after: cut) == true)
    #expect(two.query.dictionary["m_Limit"] == .number(1))
    #expect(goesOn(&two, after: cut) == false)

    var one = try copyCall()
    #expect(goesOn(&one, after: cut) == false)
  }
}
