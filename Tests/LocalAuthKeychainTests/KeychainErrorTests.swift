import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct KeychainErrorTests {
  @Test func theExitStatusesAreThoseOfTheDesign() {
    #expect(KeychainError.itemNotFound.exit == 20)
    #expect(KeychainError.duplicateItem.exit == 21)
    #expect(KeychainError.locked.exit == 22)
    #expect(KeychainError.accessGroup("a").exit == 23)
    for other in [KeychainError.noSuchClass, .parameter(.missingClass), .undecodable] {
      #expect(other.exit == 24)
    }
  }

  @Test func anAuthenticationKeepsItsOwnExitStatus() {
    for outcome in OutcomeCode.allCases {
      #expect(KeychainError.authentication(outcome).exit == outcome.exit)
      #expect(KeychainError.authentication(outcome).word == outcome.rawValue)
    }
  }

  @Test func lockedByTheDeviceAndNobodyToAskShareAStatusAndNotAnExit() {
    #expect(KeychainError.locked.status == .interactionNotAllowed)
    #expect(KeychainError.authentication(.notInteractive).status == .interactionNotAllowed)
    #expect(KeychainError.locked.exit != KeychainError.authentication(.notInteractive).exit)
  }

  @Test func everyRefinementOfABadParameterIsAnAliasOfParam() {
    let faults: [ParameterFault] = [
      .missingClass, .tooManyKeys, .duplicateKey("a"), .invalidKey("a"), .invalidType("a"),
      .invalidValue("a"), .notAllowedHere("a"), .conflict("a", "b"), .malformedReference,
      .contradictoryAccessControl, .tooMuchAtOnce,
    ]
    for fault in faults { #expect(KeychainError.parameter(fault).status == .param) }
    #expect(Set(faults.map(\.sentence)).count == faults.count)
  }

  @Test func anUnsupportedOperationIsUnimplemented() {
    #expect(KeychainError.unsupported("x").status.rawValue == -4)
  }

  @Test func aLongOrHostileKeyIsShownShortAndWithoutControlCharacters() {
    let key = "x\u{1B}[2J\n" + String(repeating: "y", count: 5000)
    let sentence = KeychainError.parameter(.invalidKey(key)).sentence
    #expect(sentence.count < 100)
    #expect(!sentence.unicodeScalars.contains { $0.value < 32 })
    #expect(KeychainError.accessGroup(key).sentence.count < 120)
  }
}
