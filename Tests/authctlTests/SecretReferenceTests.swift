import Testing

@testable import authctl

@Suite struct SecretReferenceTests {
  private func fault(_ text: String) -> ReferenceFault? {
    do throws(ReferenceFault) {
      _ = try SecretReference(text.utf8)
      return nil
    } catch {
      return error
    }
  }

  @Test func namesAServiceAndMayNameAnAccount() throws {
    let both = try SecretReference("localauth://mail/me".utf8)
    #expect(both.service == "mail" && both.account == "me")
    let service = try SecretReference("localauth://mail".utf8)
    #expect(service.service == "mail" && service.account == nil)
  }

  @Test(arguments: [
    ("localauth://a%20b/c%2Fd", "a b", "c/d"),
    ("localauth://M%C3%BCnchen/%E6%97%A5", "München", "日"),
    ("localauth://München/日", "München", "日"),
    ("localauth://a.b-c_d~e/x@y:z", "a.b-c_d~e", "x@y:z"),
    ("localauth://100%25/%7b%7D", "100%", "{}"), ("localauth://a%0Ab/c", "a\nb", "c"),
  ])
  func namesArePercentEncoded(_ text: String, _ service: String, _ account: String) throws {
    let reference = try SecretReference(text.utf8)
    #expect(reference.service == service && reference.account == account)
    // What is shown is a reference to the same item.
    #expect(try SecretReference(reference.text.utf8).bytes == reference.bytes)
    #expect(!reference.text.contains(where: \.isNewline) && !reference.text.contains(" "))
  }

  @Test(arguments: [
    ("", ReferenceFault.noReference), ("mail/me", .noReference),
    ("LOCALAUTH://mail/me", .noReference),
    ("localauth:/mail/me", .noReference), (" localauth://mail", .noReference),
    ("localauth://", .emptyPart), ("localauth:///me", .emptyPart),
    ("localauth://mail/", .emptyPart),
    ("localauth://mail/me/", .tooManyParts), ("localauth://a/b/c", .tooManyParts),
    ("localauth://my mail", .mustBeEncoded), ("localauth://mail/me?x=1", .mustBeEncoded),
    ("localauth://mail/me#1", .mustBeEncoded), ("localauth://mail/me\n", .mustBeEncoded),
    ("localauth://\u{1B}[2J", .mustBeEncoded), ("localauth://{{x}}", .mustBeEncoded),
    ("localauth://a\"b", .mustBeEncoded), ("localauth://a\u{0}b", .mustBeEncoded),
    ("localauth://a%", .badEncoding), ("localauth://a%2", .badEncoding),
    ("localauth://a%zz", .badEncoding), ("localauth://a%+1", .badEncoding),
    ("localauth://a%00", .badEncoding), ("localauth://%FF", .badEncoding),
    ("localauth://%ED%A0%80", .badEncoding),
  ])
  func anythingElseIsAFaultThatSaysWhat(_ text: String, _ expected: ReferenceFault) {
    #expect(fault(text) == expected)
    // It may be something else in the wrong place: it is not repeated.
    let secret = text.dropFirst(SecretReference.scheme.count)
    #expect(secret.count < 3 || !expected.sentence.contains(secret))
  }

  @Test func bytesThatAreNoTextAreNoName() {
    #expect(throws: ReferenceFault.badEncoding) {
      try SecretReference(Array("localauth://".utf8) + [0xFF, 0xFE])
    }
  }

  @Test func aReferenceIsListedOnceAndKnowsWhereItWasFirst() throws {
    var list = ReferenceList()
    #expect(try list.number(of: "localauth://a/b".utf8, "in X") == 0)
    #expect(try list.number(of: "localauth://c".utf8, "in Y") == 1)
    #expect(try list.number(of: "localauth://%61/b".utf8, "in Z") == 0)
    #expect(list.entries.map(\.text) == ["localauth://a/b (in X)", "localauth://c (in Y)"])
  }

  /// To the keychain, which compares bytes, they are two items.
  @Test func twoSpellingsOfOneCharacterAreTwoReferences() throws {
    var list = ReferenceList()
    #expect(try list.number(of: "localauth://caf\u{E9}".utf8, "in X") == 0)
    #expect(try list.number(of: "localauth://cafe\u{301}".utf8, "in Y") == 1)
  }

  @Test func oneMoreThanAPromptNamesIsRefused() throws {
    var list = ReferenceList()
    for number in 0..<ReferenceList.most {
      _ = try list.number(of: "localauth://a/\(number)".utf8, "in X")
    }
    #expect(try list.number(of: "localauth://a/0".utf8, "in X") == 0)
    #expect(throws: Failure.self) { try list.number(of: "localauth://a/more".utf8, "in X") }
    #expect(list.entries.count == 32)
  }
}
