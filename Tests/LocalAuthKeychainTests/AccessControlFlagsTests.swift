import LocalAuthKeychain
import Testing

@Suite struct AccessControlFlagsTests {
  @Test func theValuesAreApples() {
    let values: [(AccessControlFlags, UInt64)] = [
      (.userPresence, 1 << 0), (.biometryAny, 1 << 1), (.biometryCurrentSet, 1 << 3),
      (.devicePasscode, 1 << 4), (.companion, 1 << 5), (.or, 1 << 14), (.and, 1 << 15),
      (.privateKeyUsage, 1 << 30), (.applicationPassword, 1 << 31),
    ]
    for (flag, value) in values { #expect(flag.rawValue == value) }
    let apples = values.reduce(into: AccessControlFlags()) { $0.formUnion($1.0) }
    #expect(AccessControlFlags.known == apples.union(.eachUse), "ours alone is eachUse")
    #expect(apples.isDisjoint(with: .eachUse))
  }

  @Test func theNamesBetweenCommasAreTheFlags() throws {
    let flags = try AccessControlFlags(text: "biometryCurrentSet,or,devicePasscode")
    #expect(flags == [.biometryCurrentSet, .or, .devicePasscode])
    #expect(flags.text == "biometryCurrentSet,or,devicePasscode")
    #expect(try AccessControlFlags(text: "devicePasscode,or,biometryCurrentSet") == flags)
    #expect(try AccessControlFlags(text: "watch") == .companion)
  }

  @Test(
    arguments: [
      ",", "biometry", "biometryAny,", ",or", "biometryAny,biometryAny", "BiometryAny",
      "biometryAny or devicePasscode", "companion,watch", "1",
    ]
  )
  func anyOtherTextIsAParameterFault(text: String) {
    #expect(status { () throws(KeychainError) in try AccessControlFlags(text: text) } == .param)
  }

  @Test func everySetComesBackFromItsText() throws {
    for bits in 0..<1024 {
      var flags: AccessControlFlags = []
      for (index, word) in AccessControlFlags.allWords.filter({ $0 != "watch" }).enumerated()
      where bits & (1 << index) != 0 {
        flags.formUnion(try AccessControlFlags(text: word))
      }
      if flags.isEmpty {
        #expect(flags.text == "")
      } else {
        #expect(try AccessControlFlags(text: flags.text) == flags)
      }
    }
  }
}
