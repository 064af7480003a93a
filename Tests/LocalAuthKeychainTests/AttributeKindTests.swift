import LocalAuthKeychain
import Testing

@Suite struct AttributeKindTests {
  private static let control = AccessControl(.always)
  private static let every: [QueryValue] = [
    .text("x"), .data([1]), .number(1), .boolean(true), .date(0),
    .identifier(ItemIdentifier(high: 1, low: 2)), .accessControl(control), .list([]), .secret,
    .opaque, .null,
  ]

  private func accepted(_ kind: AttributeKind) -> [QueryValue] {
    Self.every.filter { kind.coerce($0) != nil }
  }

  @Test func blobsTakeTextDataAndNumbersAndKeepTheTypeGiven() {
    #expect(accepted(.blob) == [.text("x"), .data([1]), .number(1)])
    #expect(AttributeKind.blob.coerce(.data([1])) == .data([1]))
    #expect(AttributeKind.blob.coerce(.text("x")) == .text("x"))
    #expect(AttributeKind.blob.coerce(.number(5)) == .number(5))
  }

  @Test func dataAttributesTakeTextAsUTF8AndNumbers() {
    #expect(accepted(.data) == [.text("x"), .data([1]), .number(1)])
    #expect(AttributeKind.data.coerce(.text("é")) == .data([0xC3, 0xA9]))
    #expect(AttributeKind.data.coerce(.number(258)) == .data([2, 1, 0, 0]))
  }

  @Test func numbersTakeBooleansAsZeroAndOne() {
    #expect(accepted(.number) == [.text("x"), .number(1), .boolean(true)])
    #expect(AttributeKind.number.coerce(.boolean(true)) == .number(1))
    #expect(AttributeKind.number.coerce(.boolean(false)) == .number(0))
  }

  @Test func aTextThatIsACanonicalDecimalBecomesANumberAndAnyOtherIsKept() {
    #expect(AttributeKind.number.coerce(.text("42")) == .number(42))
    #expect(AttributeKind.number.coerce(.text("-7")) == .number(-7))
    for text in ["", "042", "+42", " 42", "4 2", "http", "-0", "0x1", "99999999999999999999"] {
      #expect(AttributeKind.number.coerce(.text(text)) == .text(text))
    }
  }

  @Test func textAttributesTakeTextUTF8DataAndUUIDs() {
    #expect(AttributeKind.text.coerce(.text("x")) == .text("x"))
    #expect(AttributeKind.text.coerce(.data([0x61])) == .text("a"))
    #expect(AttributeKind.text.coerce(.data([0xFF])) == nil)
    let identifier = ItemIdentifier(high: 0, low: 1)
    #expect(AttributeKind.text.coerce(.identifier(identifier)) == .text(identifier.text))
    #expect(accepted(.text).count == 3)
  }

  @Test func datesTakeOnlyDates() { #expect(accepted(.date) == [.date(0)]) }

  @Test func aProtectionIsAKnownClass() {
    for protection in ProtectionClass.allCases {
      #expect(AttributeKind.protection.coerce(.text(protection.rawValue)) != nil)
    }
    for text in ["", "AK", "ak ", "whenUnlocked", "zz"] {
      #expect(AttributeKind.protection.coerce(.text(text)) == nil)
    }
  }

  @Test func aKindAdmitsWhatItMakes() {
    let kinds: [AttributeKind] = [
      .blob, .data, .number, .text, .date, .protection, .accessControl,
    ]
    let values: [(QueryValue, AttributeValue)] = [
      (.text("x"), .text("x")), (.text("ak"), .text("ak")), (.data([1]), .data([1])),
      (.number(7), .number(7)), (.date(7), .date(7)),
    ]
    for kind in kinds {
      for (given, value) in values { #expect(kind.admits(value) == (kind.coerce(given) == value)) }
    }
  }

  @Test func aSecretIsNoAttribute() {
    for kind: AttributeKind in [.blob, .data, .number, .text, .date, .protection, .accessControl] {
      #expect(kind.coerce(.secret) == nil)
    }
  }

  @Test func aWrongTypeIsAParameterFaultInEveryCall() {
    let query: QueryDictionary = ["class": .text("genp"), "acct": .date(0)]
    #expect(queryStatus(query) == .param)
    #expect(addStatus(query) == .param)
    #expect(deleteStatus(query) == .param)
    #expect(updateStatus(["class": .text("genp")], ["acct": .date(0)]) == .param)
    #expect(updateStatus(query, [:]) == .param)
  }

  @Test func anUnknownProtectionIsAParameterFault() {
    #expect(queryStatus(["class": .text("genp"), "pdmn": .text("zz")]) == .param)
    #expect(addStatus(["class": .text("genp"), "pdmn": .text("zz")]) == .param)
    #expect(updateStatus(["class": .text("genp")], ["pdmn": .text("zz")]) == .param)
  }
}
