import LocalAuthKeychain
import Testing

@Suite struct ItemAttributeTableTests {
  @Test func theKindsAreThoseOfApplesParser() {
    let kinds: [(AttributeKind, String)] = [
      (.blob, "acct svce gena labl icmt desc srvr path sdmn atyp atag"),
      (.data, "klbl subj issr slnr skid pkhh"),
      (.number, "port type crtr ptcl invi bsiz"),
      (.text, "agrp tkid"),
      (.date, "cdat mdat sdat edat"),
      (.protection, "pdmn"),
      (.accessControl, "accc"),
    ]
    for (kind, names) in kinds {
      for name in names.split(separator: " ") {
        #expect(ItemAttribute(rawValue: String(name))?.kind == kind, "\(name)")
      }
    }
  }

  @Test func commonAttributesBelongToEveryClass() {
    for name in ["pdmn", "accc", "agrp", "cdat", "mdat", "labl", "sync", "tkid", "musr"] {
      for itemClass in ItemClass.allCases {
        #expect(ItemAttribute(rawValue: name)?.belongs(to: itemClass) == true)
      }
    }
  }

  @Test func appClipIsNeverSetByAClient() {
    let query: QueryDictionary = ["class": .text("genp"), "clip": .number(1)]
    #expect(addStatus(query) == .param)
    #expect(updateStatus(["class": .text("genp")], ["clip": .number(1)]) == .param)
    #expect(queryStatus(query) == .param)
    #expect(updateStatus(query, ["labl": .text("x")]) == .param)
    #expect(deleteStatus(query) == .param)
  }
}
