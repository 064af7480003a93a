import LocalAuthKeychain
import Testing

@Suite struct IdentityTests {
  private func certificate(_ hash: [UInt8]?, id: UInt64 = 1) throws -> Item {
    var dictionary: QueryDictionary = ["class": .text("cert"), "labl": .text("certificate")]
    if let hash { dictionary["pkhh"] = .data(hash) }
    return try item(dictionary, id: id)
  }

  private func key(_ label: [UInt8], keyClass: String = "1", id: UInt64 = 50) throws -> Item {
    try item(
      [
        "class": .text("keys"), "klbl": .data(label), "kcls": .text(keyClass),
        "atag": .text("tag"), "labl": .text("key"),
      ],
      id: id
    )
  }

  @Test func aCertificateJoinsTheKeyWhoseLabelIsItsHash() throws {
    let certificates = [try certificate([1], id: 1), try certificate([2], id: 2)]
    let keys = [try key([2], id: 50), try key([3], id: 51)]
    let found = Array(Identity.join(certificates: certificates, keys: keys))
    #expect(found.map(\.certificate.identifier.low) == [2])
    #expect(found.map(\.key.identifier.low) == [50])
  }

  @Test func aPublicKeyMakesNoIdentity() throws {
    let halves = (certificates: [try certificate([1])], keys: [try key([1], keyClass: "0")])
    let found = Identity.join(certificates: halves.certificates, keys: halves.keys)
    #expect(Array(found).isEmpty)
    #expect(Identity.halves(certificates: halves.certificates, keys: halves.keys).isEmpty)
  }

  @Test func itsHalvesAreEachThereOnce() throws {
    let certificates = [
      try certificate([1], id: 1), try certificate([2], id: 2), try certificate([2], id: 3),
    ]
    let keys = [try key([2], id: 50), try key([2], id: 51), try key([3], id: 52)]
    let halves = Identity.halves(certificates: certificates, keys: keys)
    #expect(halves.map(\.identifier.low) == [2, 3, 50, 51])
  }

  @Test func ofManyOnlyThoseAreMadeThatAreAskedFor() throws {
    let certificates = Array(repeating: try certificate([1]), count: 100_000)
    let keys = Array(repeating: try key([1]), count: 100_000)
    #expect(Identity.join(certificates: certificates, keys: keys).prefix(3).map(\.key).count == 3)
  }

  @Test func withoutAHashThereIsNoIdentity() throws {
    let (certificates, keys) = ([try certificate(nil)], [try key([])])
    #expect(Array(Identity.join(certificates: certificates, keys: keys)).isEmpty)
    #expect(Identity.halves(certificates: certificates, keys: keys).isEmpty)
  }

  @Test func itShowsTheCertificateOverTheKey() throws {
    let found = Array(Identity.join(certificates: [try certificate([1])], keys: [try key([1])]))
    let shown = try #require(found.first).item
    #expect(shown.itemClass == .identity)
    #expect(shown.value(of: .label) == .text("certificate"))
    #expect(shown.value(of: .applicationTag) == .text("tag"))
  }

  @Test func aQueryForIdentitiesAsksEachHalfForWhatItHas() throws {
    let query: QueryDictionary = ["class": .text("idnt"), "atag": .text("tag")]
    #expect(try finds(query, key([1])))
    #expect(try !finds(query.with("atag", .text("other")), key([1])))
    #expect(try finds(query, certificate([1])))
    let byLabel: QueryDictionary = ["class": .text("idnt"), "labl": .text("certificate")]
    #expect(try finds(byLabel, certificate([1])))
    #expect(try finds(byLabel, key([1])))
    #expect(try !finds(byLabel, item(["class": .text("genp")])))
  }

  @Test func anIdentityIsNamedByItsCertificate() throws {
    let certificate = try certificate([1], id: 3)
    let reference = PersistentReference.item(.identity, certificate.identifier)
    #expect(reference.names(certificate))
    #expect(try !reference.names(key([1], id: 3)))
  }
}
