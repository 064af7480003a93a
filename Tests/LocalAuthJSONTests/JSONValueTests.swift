import LocalAuthJSON
import Testing

@Suite struct JSONValueTests {
  @Test func keepsTheOrderOfMembers() throws {
    let value = try tree(#"{"z":1,"a":{"y":2,"b":3}}"#)
    #expect(value == ["z": 1, "a": ["y": 2, "b": 3]])
    #expect(value != ["a": ["y": 2, "b": 3], "z": 1])
  }

  @Test func knowsWhereKeysAndValuesStand() throws {
    let value = try tree("{\n  \"é\": [1,\n    true],\n  \"typo\" : null\n}")
    guard case .object(let members) = value.content, members.count == 2,
      case .array(let elements) = members[0].value.content
    else {
      Issue.record("not the expected shape")
      return
    }
    #expect(value.position?.description == "1:1")
    #expect(members[0].position?.description == "2:3")
    #expect(members[0].value.position?.description == "2:8")
    #expect(elements.map { $0.position?.description } == ["2:9", "3:5"])
    #expect(members[1].position?.description == "4:3")
    #expect(members[1].value.position?.description == "4:12")
  }

  @Test func ignoresPositionsWhenComparing() throws {
    #expect(try tree("[1, 2]") == tree(" [1,2]"))
    #expect(try tree("[1, 2]").hashValue == tree("[1,2]").hashValue)
  }

  @Test func tellsIntegersFromOtherNumbers() throws {
    #expect(try tree("1").content == .integer(1))
    #expect(try tree("1.0").content == .number(1))
    #expect(try tree("1e0").content == .number(1))
    #expect(try tree("-9223372036854775808").content == .integer(.min))
    #expect(try tree("9223372036854775808").content == .number(9_223_372_036_854_775_808))
    guard case .number(let zero) = try tree("-0").content else {
      Issue.record("minus zero became an integer")
      return
    }
    #expect(zero.sign == .minus)
  }

  @Test func findsMembersByKey() throws {
    let value = try tree(#"{"a":1,"b":null}"#)
    #expect(value["a"] == 1)
    #expect(value["b"] == JSONValue(.null))
    #expect(value["c"] == nil as JSONValue?)
    #expect(JSONValue(.integer(1))["a"] == nil as JSONValue?)
  }

  @Test func writesEveryKindOfLiteral() throws {
    let value: JSONValue = [
      "null": nil, "bool": true, "integer": -1, "number": 1.5, "string": "x\n",
      "array": [1, "2", []],
      "object": [:],
    ]
    var bytes: [UInt8] = []
    try value.write(into: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"null":null,"bool":true,"integer":-1,"number":1.5,"string":"x\n","array":[1,"2",[]],"object":{}}"#
    )
    #expect(try JSONValue(parsing: bytes.span) == value)
  }

  @Test func namesItsKind() throws {
    let texts = ["null", "true", "1", "1.5", #""""#, "[]", "{}"]
    #expect(
      try texts.map { try tree($0).kind }
        == [.null, .boolean, .number, .number, .string, .array, .object]
    )
  }

  @Test func readsASubtreeAndLeavesTheRest() throws {
    try read(#"{"a":[1,{"b":2}],"c":3}"#) { (reader) throws(JSONError) in
      try reader.beginObject()
      _ = try reader.nextKey()
      let subtree = try JSONValue(reading: &reader)
      #expect(subtree == [1, ["b": 2]])
      #expect(subtree.position?.description == "1:6")
      #expect(try reader.nextKey()?.string == "c")
      #expect(try reader.int() == 3)
      let end = try reader.nextKey()
      #expect(end?.string == nil)
    }
  }

  @Test func refusesWhatTheReaderRefuses() {
    #expect(throws: JSONError(.duplicateKey, at: 7)) { try tree(#"{"a":1,"a":2}"#) }
    #expect(throws: JSONError(.trailingContent, at: 2)) { try tree("1 1") }
    #expect(throws: JSONError(.numberOutOfRange, at: 1)) { try tree("[1e999]") }
  }
}
