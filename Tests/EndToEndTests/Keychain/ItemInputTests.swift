import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

/// What no client should send: each has its documented answer, and costs nobody anything.
@Suite struct ItemInputTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim")
    let kept = JSONValue.password("kept", "me").adding(ItemVersion.attributes(7))
    #expect(try client.item("Add", on: "sim", kept, ["data": ItemVersion.data(7)]).isDone)
  }

  private func expectNothingIsLost() throws {
    let query = JSONValue.password("kept", "me").setting(["r_Data": true, "r_Attributes": true])
    let kept = try daemon.connect().item("Copy", on: "sim", query)
    #expect(kept.items.first.flatMap(ItemVersion.of) == 7, "\(kept.reply)")
    #expect(daemon.program.isRunning)
    #expect(daemon.anonymousKilobytes < 64 * 1024 || Sanitizer.isActive)
    #expect(daemon.log.isEmpty, "\(daemon.log)")
  }

  /// A whole answer in one line.
  private func expect(_ answer: ItemAnswer, _ status: Int, _ exit: Int, _ context: Comment) {
    #expect(answer.status == status && answer.exit == exit, "\(context): \(answer.reply)")
    #expect(!answer.message.isEmpty && !answer.message.contains("\n"), context)
  }

  @Test func parametersOfTheWrongFormAreNamed() throws {
    let genp: JSONValue = ["class": "genp"]
    let calls: [(verb: String, query: JSONValue, more: [String: JSONValue], wrong: String)] = [
      ("Copy", 7, [:], "query"), ("Copy", [], [:], "query"), ("Copy", nil, [:], "query"),
      ("Copy", "genp", [:], "query"), ("Copy", genp.setting(["acct": 1.5]), [:], "acct"),
      ("Copy", genp.setting(["acct": [:]]), [:], "acct"),
      ("Copy", genp.setting(["acct": ["text": "x"]]), [:], "acct"),
      ("Copy", genp.setting(["acct": ["data": "*"]]), [:], "acct"),
      ("Copy", genp.setting(["acct": ["data": "AAA"]]), [:], "acct"),
      ("Copy", genp.setting(["acct": ["data": "AAAA", "date": 1]]), [:], "acct"),
      ("Copy", genp.setting(["acct": [[[[[1]]]]]]), [:], "acct"),
      ("Copy", genp.setting(["cdat": ["date": "today"]]), [:], "cdat"),
      ("Copy", genp.setting(["acct": ["identifier": "no"]]), [:], "acct"),
      ("Add", genp.setting(["v_Data": "AAAA"]), [:], "v_Data"),
      ("Add", genp, ["data": 7], "data"), ("Add", genp, ["data": "A"], "data"),
      ("Add", genp, ["data": "AAAA\n"], "data"), ("Add", genp, ["data": "AB=="], "data"),
      ("Add", genp, ["nobody": 1], "nobody"), ("Add", genp, ["context": -1], "context"),
      ("Add", genp, ["context": "one"], "context"),
      ("Add", genp, ["timeoutMilliseconds": -1], "timeoutMilliseconds"),
      ("Add", genp, ["passcodeTries": 0], "passcodeTries"),
      ("Add", genp, ["passcodeTries": -1], "passcodeTries"),
      ("Add", genp, ["reason": .text(String(repeating: "r", count: 1025))], "reason"),
      ("Update", genp, [:], "changes"), ("Update", genp, ["changes": []], "changes"),
      ("Copy", genp, ["after": 7], "after"), ("Copy", genp, ["after": ""], "after"),
      ("Copy", genp, ["after": "garbage"], "after"),
      ("Copy", genp, ["after": .text(String(repeating: "F", count: 72))], "after"),
      ("Copy", genp, ["after": .text(String(repeating: "g", count: 72))], "after"),
      ("Copy", genp, ["after": .text(String(repeating: "0", count: 71))], "after"),
    ]
    for (verb, query, more, wrong) in calls {
      let answer = try client.item(verb, on: "sim", query, more)
      let context: Comment = "\(verb) \(query) \(more)"
      #expect(answer.reply.error == Interface.service + "InvalidParameter", context)
      let named = answer.reply.parameters["parameter"]?.string
      #expect(named == wrong || named == "query." + wrong, "\(context): \(answer.reply)")
    }
    for (items, wrong): (JSONValue, String) in [
      ([], "items"), (7, "items"), (["genp"], "items"), ([[:]], "items.query"),
      ([["query": genp, "data": 7]], "items.data"), ([["query": genp, "data": "A"]], "data"),
      ([["query": genp, "account": "me"]], "items.account"),
      (JSONValue(.array(Array(repeating: ["query": genp], count: 1001))), "items"),
    ] {
      let reply = try client.call(
        Interface.keychain + "AddAll",
        ["items": items, "device": "sim", "allowSimulated": true]
      )
      #expect(reply.error == Interface.service + "InvalidParameter")
      #expect(reply.parameters["parameter"]?.string == wrong, "\(reply)")
    }
    let context = try client.call(Interface.keychain + "InvalidateContext", ["context": -1])
    #expect(context.parameters["parameter"]?.string == "context")
    try expectNothingIsLost()
  }

  @Test func absurdAccessControlsAreRefused() throws {
    for control: JSONValue in [
      7, [:], ["protection": "ak"], ["flags": []], ["protection": "zz", "flags": []],
      ["protection": "", "flags": []], ["protection": "ak", "flags": "biometryAny"],
      ["protection": "ak", "flags": ["nonsense"]], ["protection": "ak", "flags": [7]],
      ["protection": "ak", "flags": ["biometryAny", "biometryCurrentSet"]],
      ["protection": "ak", "flags": ["or", "and"]],
      ["protection": "ak", "flags": ["biometryAny", "biometryAny"]],
      ["protection": "ak", "flags": ["biometryAny,or,devicePasscode"]],
      ["protection": "ak", "flags": ["userPresence", "devicePasscode"]],
    ] {
      let query = JSONValue.password("absurd").setting(["accc": ["accessControl": control]])
      let added = try client.item("Add", on: "sim", query, ["data": "AAAA"])
      #expect(added.reply.errorName == "InvalidParameter", "\(control): \(added.reply)")
      #expect(added.reply.parameters["parameter"]?.string == "query.accc", "\(control)")
      let evaluated = try client.call(
        Interface.keychain + "EvaluateAccessControl",
        ["device": "sim", "accessControl": control, "operation": "decrypt"]
      )
      #expect(evaluated.errorName == "InvalidParameter", "\(control): \(evaluated)")
    }
    #expect(
      try client.call(
        Interface.keychain + "EvaluateAccessControl",
        [
          "device": "sim", "accessControl": ["protection": "ak", "flags": ["biometryAny"]],
          "operation": "guess",
        ]
      ).parameters["parameter"]?.string == "operation"
    )
    try expectNothingIsLost()
  }

  @Test func whatTheKeychainCannotDoHasApplesStatus() throws {
    let genp: JSONValue = ["class": "genp"]
    for (verb, query, status): (String, JSONValue, Int) in [
      ("Copy", [:], -50), ("Add", [:], -50), ("Delete", [:], -50), ("Copy", ["class": 7], -50),
      ("Copy", ["class": "nope"], -25_306), ("Add", ["class": ""], -25_306),
      ("Copy", genp.setting(["zzzz": 1]), -25_303), ("Copy", genp.setting(["": 1]), -50),
      ("Copy", genp.setting(["x_Unknown": 1]), -50), ("Copy", genp.setting(["srvr": "x"]), -25_303),
      ("Copy", genp.setting(["acct": true]), -50), ("Copy", genp.setting(["acct": nil]), -50),
      ("Copy", genp.setting(["m_Limit": "some"]), -50),
      ("Copy", genp.setting(["m_Limit": -1]), -50),
      ("Copy", genp.setting(["r_Data": "yes"]), -50),
      ("Copy", ["v_PersistentRef": ["data": "AAAA"]], -50),
      ("Add", genp.setting(["pdmn": "zz"]), -50),
      ("Add", genp.setting(["agrp": "somebody.elses"]), -34_018),
      ("Add", genp.setting(["agrp": ""]), -34_018),
    ] {
      let answer = try client.item(verb, on: "sim", query)
      #expect(answer.status == status, "\(verb) \(query): \(answer.reply)")
      #expect(answer.exit == (status == -34_018 ? 23 : 24), "\(verb) \(query): \(answer.reply)")
      #expect(!answer.message.isEmpty && !answer.message.contains("\n"), "\(query)")
    }
    var keys = genp
    for number in 0...QueryLimits.keys { keys = keys.setting(["f\(number)": 1]) }
    expect(try client.item("Copy", on: "sim", keys), -50, 24, "too many keys")
    let script = try client.item("Copy", on: "sim", genp, ["script": "bogus"])
    #expect(script.outcome == "ScriptInvalid")
    try expectNothingIsLost()
  }

  private enum QueryLimits {
    static let keys = 128
  }

  @Test func cursorsOfOthersAndOfNobodyOnlyEndTheList() throws {
    let query = JSONValue.password("kept").setting(["m_Limit": "m_LimitAll", "r_Attributes": true])
    for digit in ["0", "1", "f"] {
      for group in ["00000000", "00000001", "7fffffff", "80000000", "ffffffff"] {
        let cursor = group + String(repeating: digit, count: 64)
        let answer = try client.item("Copy", on: "sim", query, ["after": .text(cursor)])
        #expect(answer.isDone && answer.items.count <= 1, "\(cursor): \(answer.reply)")
      }
    }
    try expectNothingIsLost()
  }

  @Test func unusualValuesAreKeptAsTheyAre() throws {
    let long = String(repeating: "ü", count: 40_000)
    for (index, text) in ["", "a", "a\0", "a\0b", "\u{1}\u{7f}", "\u{10FFFF}", long].enumerated() {
      let query: JSONValue = ["class": "genp", "svce": "unusual", "acct": .text(text)]
      let added = try client.item("Add", on: "sim", query, ["data": ItemVersion.data(index)])
      #expect(added.isDone, "\(text.prefix(9)): \(added.reply)")
      let copy = query.setting(["r_Data": true, "r_Attributes": true])
      let found = try client.item("Copy", on: "sim", copy)
      #expect(found.items.first?["data"] == ItemVersion.data(index), "\(text.prefix(9))")
      #expect(found.items.first?["attributes"]?["acct"]?.string == text, "\(text.prefix(9))")
    }
    for number in [Int64.min, -1, 0, Int64.max] {
      let query: JSONValue = ["class": "inet", "srvr": "n", "port": .number(number)]
      #expect(try client.item("Add", on: "sim", query, ["data": "AAAA"]).isDone, "\(number)")
      #expect(try client.item("Copy", on: "sim", query).isDone, "\(number)")
      let date: JSONValue = ["class": "genp", "cdat": ["date": .number(number)]]
      #expect(try client.item("Copy", on: "sim", date).outcome == "itemNotFound", "\(number)")
    }
    try expectNothingIsLost()
  }

  @Test func secretsOfEverySizeAreKeptOrRefused() throws {
    let limit = WireLimits().itemBytesMax
    for size in [0, 3, 65_535] {
      let data = JSONValue.text(String(repeating: "A", count: size / 3 * 4))
      let query = JSONValue.password("sizes", "\(size)")
      #expect(try client.item("Add", on: "sim", query, ["data": data]).isDone, "\(size)")
      let found = try client.item("Copy", on: "sim", query.setting(["r_Data": true]))
      #expect(found.items.first?["data"] == data, "\(size)")
    }
    let over = JSONValue.text(String(repeating: "A", count: (limit / 3 + 1) * 4))
    for verb in ["Add", "Update"] {
      let more = verb == "Update" ? ["data": over, "changes": [:] as JSONValue] : ["data": over]
      let answer = try client.item(verb, on: "sim", .password("sizes", "3"), more)
      expect(answer, -25_302, 24, "\(verb)")
    }
    let without = try client.item("Add", on: "sim", .password("sizes", "none"))
    #expect(without.isDone, "\(without.reply)")
    let flood = try daemon.connect()
    let call = #"{"method":"io.localauth.Keychain.Add","parameters":{"data":""#
    try flood.send(Array(call.utf8))
    let piece = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)
    // A hundred MiB; the daemon closes long before.
    #expect(throws: WireClient.Failure.self) { for _ in 0..<100 { try flood.send(piece) } }
    #expect(flood.isClosedByPeer())
    try expectNothingIsLost()
  }

  @Test func textThatIsNoJSONClosesItsConnection() throws {
    let call = #"{"method":"io.localauth.Keychain.Copy","parameters":"#
    let head = Array((call + #"{"query":{"class":"genp","#).utf8)
    let nested = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    for rest: [UInt8] in [
      Array(#""class":"inet"}}}"#.utf8), Array(#""acct":"#.utf8) + Array((nested + "}}}").utf8),
      Array(#""acct":""#.utf8) + [0xff] + Array(#""}}}"#.utf8),
      Array(#""acct":"\ud800"}}}"#.utf8), Array(#""acct":"x"}}"#.utf8),
    ] {
      let client = try daemon.connect()
      try client.send(head + rest + [0])
      #expect(client.isClosedByPeer(), "\(String(decoding: rest, as: UTF8.self))")
    }
    try expectNothingIsLost()
  }
}
