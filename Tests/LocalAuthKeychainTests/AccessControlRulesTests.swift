import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct AccessControlRulesTests {
  private func rule(
    _ flags: AccessControlFlags,
    _ operation: AccessOperation = .decrypt,
    at generation: UInt64 = 7
  ) throws -> OperationRule {
    try AccessControl(.whenUnlocked, flags: flags).bound(to: .full)
      .rule(for: operation, at: generation)
  }

  @Test func withoutFlagsEverythingIsAllowed() throws {
    for operation in AccessOperation.allCases { #expect(try rule([], operation) == .allowed) }
  }

  @Test func aConstraintGuardsReadingOnly() throws {
    #expect(try rule(.devicePasscode, .decrypt) == .requires(.passcode))
    #expect(try rule(.devicePasscode, .encrypt) == .allowed)
    #expect(try rule(.devicePasscode, .delete) == .allowed)
  }

  @Test func privateKeyUsageGuardsTheUseOfTheKeyAndDeniesItsData() throws {
    let flags: AccessControlFlags = [.privateKeyUsage, .biometryAny]
    for operation: AccessOperation in [.sign, .computeKey, .decapsulate] {
      #expect(try rule(flags, operation) == .requires(.biometry(.any)))
    }
    #expect(try rule(flags, .attest) == .allowed)
    #expect(try rule(flags, .delete) == .allowed)
    #expect(try rule(flags, .encrypt) == .denied)
    #expect(try rule(flags, .decrypt) == .denied)
    #expect(try rule(.privateKeyUsage, .sign) == .allowed)
  }

  @Test func eachConstraintIsItsRequirement() throws {
    #expect(try rule(.userPresence) == .requires(.anyOf([.biometry(.any), .passcode])))
    #expect(try rule(.biometryAny) == .requires(.biometry(.any)))
    #expect(try rule(.biometryCurrentSet) == .requires(.biometry(.current(generation: 7))))
    #expect(try rule(.devicePasscode) == .requires(.passcode))
    #expect(try rule(.companion) == .requires(.companion))
  }

  @Test func severalConstraintsWithoutAWordAreAllNeeded() throws {
    let both = Requirement.allOf([.biometry(.any), .passcode])
    #expect(try rule([.biometryAny, .devicePasscode]) == .requires(both))
    #expect(try rule([.biometryAny, .and, .devicePasscode]) == .requires(both))
  }

  @Test func orMakesOneEnough() throws {
    let either = Requirement.anyOf([.biometry(.any), .passcode])
    #expect(try rule([.biometryAny, .or, .devicePasscode]) == .requires(either))
  }

  @Test func anApplicationPasswordIsAlwaysNeededBesidesAndNeverCounts() throws {
    #expect(try rule(.applicationPassword) == .requires(.applicationPassword))
    let flags: AccessControlFlags = [.biometryAny, .or, .devicePasscode, .applicationPassword]
    let needed = Requirement.allOf([
      .anyOf([.biometry(.any), .passcode]), .applicationPassword,
    ])
    #expect(try rule(flags) == .requires(needed))
    let one: AccessControlFlags = [.biometryAny, .or, .applicationPassword]
    #expect(try rule(one) == .requires(.allOf([.biometry(.any), .applicationPassword])))
    #expect(try rule(one, .encrypt) == .requires(.applicationPassword))
    #expect(try rule(one, .delete) == .allowed)
  }

  @Test func anyBiometrySurvivesAChangeOfTheSetAndHasNoPasscodeFallback() throws {
    guard case .requires(let requirement) = try rule(.biometryAny, at: 99) else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(requirement.isMet(by: Proven(factors: .biometry, biometryGeneration: 99)))
    #expect(!requirement.isReachable(from: Proven(), with: .passcode))
  }

  @Test func devicePasscodeTakesNothingButThePasscode() throws {
    guard case .requires(let requirement) = try rule(.devicePasscode) else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(!requirement.isReachable(from: Proven(), with: [.biometry, .companion]))
  }

  @Test func theCurrentSetOfAnotherGenerationOpensNothing() throws {
    #expect(try rule(.biometryCurrentSet, at: 8) == .denied)
    #expect(try rule([.biometryCurrentSet, .devicePasscode], at: 8) == .denied)
    #expect(try rule([.biometryCurrentSet, .applicationPassword], at: 8) == .denied)
  }

  @Test func underOrOnlyItsArmDies() throws {
    let flags: AccessControlFlags = [.biometryCurrentSet, .or, .devicePasscode]
    #expect(try rule(flags, at: 8) == .requires(.passcode))
    let three: AccessControlFlags = [.biometryCurrentSet, .or, .devicePasscode, .companion]
    #expect(try rule(three, at: 8) == .requires(.anyOf([.companion, .passcode])))
  }

  @Test func beforeItIsBoundTheSetOfTheMomentCounts() throws {
    let control = try AccessControl(.whenUnlocked, flags: .biometryCurrentSet)
    let rule = control.rule(for: .decrypt, at: 12)
    #expect(rule == .requires(.biometry(.current(generation: 12))))
  }

  @Test func noConstrainedItemIsEverReadWithoutProof() throws {
    for bits in 0..<1024 {
      var flags: AccessControlFlags = []
      for (index, word) in AccessControlFlags.allWords.filter({ $0 != "watch" }).enumerated()
      where bits & (1 << index) != 0 {
        flags.formUnion(try AccessControlFlags(text: word))
      }
      guard let control = try? AccessControl(.whenUnlocked, flags: flags) else { continue }
      for generation: UInt64 in [7, 8] {
        let bound = try control.bound(to: .full)
        for operation: AccessOperation in [.decrypt, .sign, .computeKey, .decapsulate] {
          let rule = bound.rule(for: operation, at: generation)
          guard !flags.isDisjoint(with: .constraints) else { continue }
          #expect(rule != .allowed, "\(flags.text)")
          guard case .requires(let requirement) = rule else { continue }
          #expect(!requirement.isMet(by: Proven()), "\(flags.text)")
        }
      }
    }
  }
}
