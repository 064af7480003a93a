import LocalAuthKeychain
import Testing

@Suite struct PersistentReferenceTests {
  private static let identifier = ItemIdentifier(high: 5, low: 9)

  @Test func aReferenceIsFourBytesOfClassAndSixteenOfUUID() throws {
    let bytes = PersistentReference.item(.genericPassword, Self.identifier).bytes
    #expect(bytes.count == 20)
    #expect(Array(bytes.prefix(4)) == Array("genp".utf8))
    #expect(try PersistentReference(bytes: bytes) == .item(.genericPassword, Self.identifier))
  }

  @Test func theOldFormOfTwelveBytesIsWellFormedAndNamesNothing() throws {
    let bytes = PersistentReference.row(.internetPassword, -3).bytes
    #expect(bytes.count == 12)
    let reference = try PersistentReference(bytes: bytes)
    #expect(reference == .row(.internetPassword, -3))
    #expect(try !reference.names(item(["class": .text("inet")])))
  }

  @Test(arguments: [0, 3, 4, 11, 13, 19, 21, 400])
  func anyOtherLengthIsAParameterFault(count: Int) {
    let bytes = Array(("genp" + String(repeating: "x", count: 400)).utf8.prefix(count))
    #expect(throws: KeychainError.parameter(.malformedReference)) {
      try PersistentReference(bytes: bytes)
    }
  }

  @Test func anUnknownClassIsAParameterFault() {
    let bytes = Array("apls".utf8) + Self.identifier.bytes
    #expect(throws: KeychainError.parameter(.malformedReference)) {
      try PersistentReference(bytes: bytes)
    }
  }

  @Test func aReferenceSurvivesAChangeOfAttributes() throws {
    let old = try item(["class": .text("genp"), "acct": .text("a")], id: 4)
    let update = try ItemUpdate(
      ["class": .text("genp")],
      changes: ["acct": .text("b")],
      groups: ownGroups
    )
    let new = try update.changes.applied(to: old, at: wall(2000), enrolment: .full)
    #expect(old.reference.names(new))
    #expect(try finds(["v_PersistentRef": .data(old.reference.bytes)], new))
  }
}
