import LocalAuthKeychain
import Testing

@Suite struct ItemClassTests {
  @Test func theWireNamesAreApples() {
    #expect(ItemClass.allCases.map(\.rawValue) == ["genp", "inet", "cert", "keys", "idnt"])
    #expect(!ItemClass.stored.contains(.identity))
  }

  @Test func everyClassHasTheUniquenessColumnsOfApplesSchema() {
    let common = ["agrp", "sync", "musr", "vwht", "tkid", "ggrp"]
    let own: [(ItemClass, [String])] = [
      (.genericPassword, ["acct", "svce"]),
      (.internetPassword, ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]),
      (.certificate, ["ctyp", "issr", "slnr"]),
      (.key, ["kcls", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat"]),
    ]
    for (itemClass, columns) in own {
      #expect(Set(itemClass.primaryKey.map(\.rawValue)) == Set(common + columns))
    }
  }

  @Test func accessibleDefaultsToWhenUnlockedAndOfCertificatesToAlways() {
    for itemClass in ItemClass.stored {
      let expected: ProtectionClass = itemClass == .certificate ? .always : .whenUnlocked
      #expect(itemClass.defaultProtection == expected)
    }
  }

  @Test func everyPrimaryKeyColumnBelongsToItsClassAndHasADefault() {
    for itemClass in ItemClass.stored {
      for attribute in itemClass.primaryKey {
        #expect(attribute.belongs(to: itemClass))
        #expect(attribute.defaultValue(for: itemClass) != nil)
      }
    }
  }
}
