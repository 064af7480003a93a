import LocalAuthJSON
import Testing

@Suite struct JSONReaderTests {
  @Test func readsMembersInTheOrderOfTheText() throws {
    var policy = ""
    var seconds: Int64 = 0
    var others: [String] = []
    try read(#" {"policy": "device-owner", "x": [{"y": 1}], "seconds": 30, "z": null} "#) {
      (reader) throws(JSONError) in
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "policy": policy = try reader.string()
        case "seconds": seconds = try reader.int()
        default:
          others.append(key.string)
          try reader.skipValue()
        }
      }
    }
    #expect(policy == "device-owner")
    #expect(seconds == 30)
    #expect(others == ["x", "z"])
  }

  @Test func readsNestedArrays() throws {
    let rows = try read("[[1,2],[],[3]]") { (reader) throws(JSONError) -> [[Int64]] in
      var rows: [[Int64]] = []
      try reader.beginArray()
      while try reader.nextElement() {
        var row: [Int64] = []
        try reader.beginArray()
        while try reader.nextElement() { row.append(try reader.int()) }
        rows.append(row)
      }
      return rows
    }
    #expect(rows == [[1, 2], [], [3]])
  }

  @Test(arguments: [
    ("", JSONError.Kind.unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("{", .unexpectedEnd, 1),
    ("[1", .unexpectedEnd, 2), (#"{"a"#, .unexpectedEnd, 3), (#"{"a""#, .unexpectedEnd, 4),
    (#"{"a":"#, .unexpectedEnd, 5), (#"{"a":1"#, .unexpectedEnd, 6),
    (#"{"a":1,"#, .unexpectedEnd, 7), ("[1,]", .expectedValue, 3), ("[,1]", .expectedValue, 1),
    (#"{"a":1,}"#, .expectedKey, 7), ("{,}", .expectedKey, 1), ("{1:2}", .expectedKey, 1),
    (#"{"a" 1}"#, .expectedColon, 5), (#"{"a":}"#, .expectedValue, 5),
    (#"{"a":1 "b":2}"#, .expectedCommaOrEnd, 7), ("[1 2]", .expectedCommaOrEnd, 3),
    ("[1}", .expectedCommaOrEnd, 2), (#"{"a":1]"#, .expectedCommaOrEnd, 6),
    ("{} {}", .trailingContent, 3), ("1,", .trailingContent, 1), ("[1]\u{0}", .trailingContent, 3),
    ("tru", .expectedValue, 0), ("nul", .expectedValue, 0), ("truE", .expectedValue, 0),
    ("\u{FEFF}1", .expectedValue, 0), ("\u{A0}1", .expectedValue, 0), ("\u{B}1", .expectedValue, 0),
  ])
  func refusesBrokenStructure(_ text: String, _ kind: JSONError.Kind, _ offset: Int) {
    #expect(complaint(text) == JSONError(kind, at: offset))
  }

  @Test func refusesEveryPrefixOfAnObject() {
    let text = Array(#"{"a":[1.5e2,"é\n",true],"b":{"c":null}}"#.utf8)
    #expect(complaint(text) == nil)
    for count in 0..<text.count {
      #expect(complaint(Array(text[..<count])) != nil, "first \(count) bytes")
    }
  }

  @Test func refusesNestingBeyondTheLimit() {
    let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
    #expect(complaint(deep) == JSONError(.tooDeep, at: 32))
    #expect(complaint(String(deep.dropFirst().dropLast())) == nil)
    let mixed = String(repeating: #"{"a":["#, count: 17)
    #expect(complaint(mixed)?.kind == .tooDeep)
  }

  @Test func honoursASmallerDepthLimit() {
    #expect(throws: JSONError(.tooDeep, at: 1)) {
      try JSONReader.read(Array("[[]]".utf8).span, maximumDepth: 1) {
        (reader) throws(JSONError) in try reader.skipValue()
      }
    }
  }

  @Test func survivesAMillionOpenBrackets() {
    #expect(complaint([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20))?.kind == .tooDeep)
  }

  @Test func namesTheKindThatWasAskedFor() {
    #expect(
      failure(#" "x" "#) { (r) throws(JSONError) in _ = try r.int() }
        == JSONError(.expected(.number), at: 1)
    )
    #expect(
      failure("1") { (r) throws(JSONError) in _ = try r.string() }?.kind == .expected(.string)
    )
    #expect(
      failure("1") { (r) throws(JSONError) in try r.beginObject() }?.kind == .expected(.object)
    )
    #expect(
      failure("{}") { (r) throws(JSONError) in try r.beginArray() }?.kind == .expected(.array)
    )
    #expect(
      failure("null") { (r) throws(JSONError) in _ = try r.bool() }?.kind
        == .expected(.boolean)
    )
    #expect(failure("") { (r) throws(JSONError) in _ = try r.bool() }?.kind == .unexpectedEnd)
    #expect(failure("?") { (r) throws(JSONError) in _ = try r.bool() }?.kind == .expectedValue)
  }

  @Test func peeksWithoutReading() throws {
    let texts: [(String, JSONKind)] = [
      ("{}", .object), ("[]", .array), (#""""#, .string), ("-1", .number), ("true", .boolean),
      ("false", .boolean), ("null", .null),
    ]
    for (text, kind) in texts {
      try read(text) { (reader) throws(JSONError) in
        #expect(try reader.peekKind() == kind)
        #expect(try reader.peekKind() == kind)
        #expect(reader.offset == 0)
        try reader.skipValue()
      }
    }
  }

  @Test func readsTextFromUnsafeMemory() throws {
    let text = Array("[7]".utf8)
    let value = try unsafe text.withUnsafeBytes { bytes throws -> Int64 in
      var reader = unsafe JSONReader(bytes)
      try reader.beginArray()
      _ = try reader.nextElement()
      return try reader.int()
    }
    #expect(value == 7)
  }
}
