import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthTestSupport
import LocalAuthWire
import Testing

@Suite struct WireQueryTests {
  private func read(_ text: String) throws(WireError) -> WireQuery {
    let bytes = Array(text.utf8)
    return try JSONReader.read(bytes.span) { (reader) throws(WireError) in
      try WireQuery.read(&reader)
    }
  }

  /// The text of a message with the query in it.
  private func text(_ query: WireQuery) throws -> String {
    var call = KeychainMessages.DeleteCall()
    call.query = query
    var frame: [UInt8] = []
    try IncomingCall.write("a.B", call, to: &frame)
    let text = String(decoding: frame.dropLast(), as: UTF8.self)
    return String(text.dropFirst(#"{"method":"a.B","parameters":{"query":"#.count).dropLast(2))
  }

  private static let every: QueryDictionary = [
    "acct": .text("me\u{1}\""), "gena": .data([0, 255, 7]), "port": .number(-3),
    "sync": .boolean(true), "cdat": .date(1234), "labl": .null,
    "agrp": .identifier(ItemIdentifier(high: 1, low: .max)),
    "accc": .accessControl(AccessControl(.whenUnlockedThisDeviceOnly)),
    "m_ItemList": .list([.data([1]), .list([.text("x")]), .boolean(false)]),
  ]

  @Test func everyValueComesBackAsItWas() throws {
    let query = try WireQuery(Self.every)
    #expect(try read(text(query)).dictionary == Self.every)
  }

  @Test func anyDictionaryComesBackAsItWas() throws {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<500 {
      let entries = (0..<Int.random(in: 0...12, using: &random)).map { number in
        QueryDictionary.Entry(key: "k\(number)", value: value(using: &random, depth: 0))
      }
      let dictionary = QueryDictionary(entries)
      let back = try read(text(WireQuery(dictionary))).dictionary
      #expect(back == dictionary, "seed \(random.seed)")
    }
  }

  private func value(using random: inout SeededGenerator, depth: Int) -> QueryValue {
    switch Int.random(in: 0...(depth < 4 ? 7 : 6), using: &random) {
    case 0: return .text(text(using: &random))
    case 1:
      let count = Int.random(in: 0...40, using: &random)
      return .data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    case 2: return .number(.random(in: .min ... .max, using: &random))
    case 3: return .boolean(.random(using: &random))
    case 4: return .date(.random(in: .min ... .max, using: &random))
    case 5: return .identifier(ItemIdentifier(high: random.next(), low: random.next()))
    case 6: return .null
    default:
      let count = Int.random(in: 0...3, using: &random)
      return .list((0..<count).map { _ in value(using: &random, depth: depth + 1) })
    }
  }

  private func text(using random: inout SeededGenerator) -> String {
    let scalars = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: 0...0x1_FFFF, using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  @Test func flagsTravelByName() throws {
    let flags = try AccessControlFlags(text: "biometryCurrentSet,or,devicePasscode")
    let control = try AccessControl(.whenUnlocked, flags: flags)
    let written = try text(WireQuery(["accc": .accessControl(control)]))
    #expect(
      written == #"{"accc":{"accessControl":{"protection":"ak","#
        + #""flags":["biometryCurrentSet","or","devicePasscode"]}}}"#
    )
    #expect(try read(written).dictionary["accc"] == .accessControl(control))
  }

  @Test func theDataOfAnItemIsLeftBehind() throws {
    let query = try WireQuery(["class": .text("genp"), "v_Data": .secret])
    #expect(try text(query) == #"{"class":"genp"}"#)
  }

  @Test func whatOnlyThisProcessKnowsIsRefusedInsteadOfForgotten() {
    for value: QueryValue in [.opaque, .secret, .list([.text("a"), .opaque])] {
      #expect(throws: WireError.invalidParameter("v_Ref")) { try WireQuery(["v_Ref": value]) }
    }
  }

  @Test(arguments: [
    #"{"acct":{}}"#, #"{"acct":{"blob":"x"}}"#, #"{"acct":{"data":"x"}}"#, #"{"acct":{"data":1}}"#,
    #"{"acct":{"data":"AAAA","date":1}}"#, #"{"acct":{"date":"now"}}"#, #"{"acct":{"date":1.5}}"#,
    #"{"acct":{"identifier":"x"}}"#, #"{"acct":{"data":null}}"#, #"{"acct":1.5}"#,
    #"{"acct":99999999999999999999}"#, #"{"acct":[{"data":"A"}]}"#, #"{"v_Data":"AAAA"}"#,
    #"{"v_Data":null}"#, #"{"acct":[[[[[1]]]]]}"#,
    #"{"accc":{"accessControl":{"protection":"xx","flags":[]}}}"#,
    #"{"accc":{"accessControl":{"protection":"ak"}}}"#,
    #"{"accc":{"accessControl":{"protection":"ak","flags":["nonsense"]}}}"#,
    #"{"accc":{"accessControl":{"protection":"ak","flags":["or,and"]}}}"#,
    #"{"accc":{"accessControl":{"protection":"ak","flags":["biometryAny","biometryAny"]}}}"#,
    #"{"accc":{"accessControl":{"protection":"ak","flags":["biometryAny","biometryCurrentSet"]}}}"#,
    #"{"accc":{"accessControl":{"protection":"ak","flags":[],"more":1}}}"#,
  ]) func anyOtherFormIsRefusedByItsKey(_ text: String) {
    do throws(WireError) {
      _ = try read(text)
      Issue.record("\(text) was read")
    } catch {
      let key = text.dropFirst(2).prefix { $0 != "\"" }
      #expect(error == .invalidParameter(String(key)), "\(text)")
    }
  }

  @Test(arguments: ["[]", "1", "null", "", "{", #"{"a":1,"a":2}"#, #"{"a":1} x"#.dropLast(2) + "]"])
  func whatIsNoObjectIsRefused(_ text: String) {
    #expect(throws: WireError.self) {
      var call = KeychainMessages.DeleteCall()
      let bytes = Array(#"{"query":\#(text)}"#.utf8)
      call = try JSONReader.read(bytes.span) { (reader) throws(WireError) in
        try KeychainMessages.DeleteCall.read(&reader)
      }
      _ = call
    }
  }

  @Test func listsMayLieFourDeep() throws {
    #expect(try read(#"{"a":[[[[1]]]]}"#).dictionary["a"] != nil)
  }

  @Test func attributesAreReadOutOfIt() throws {
    let attributes: [ItemAttribute: AttributeValue] = [
      .account: .text("me"), .generic: .data([1]), .creator: .number(7), .startDay: .date(1),
    ]
    #expect(WireQuery(attributes).attributes == attributes)
    #expect(try read(#"{"acct":"me","zzzz":1}"#).attributes == [.account: .text("me")])
    #expect(try read(#"{"acct":true}"#).attributes == nil)
  }
}
