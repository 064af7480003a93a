import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import Testing

/// What a policy is chosen from.
@Suite struct ChoiceSpaceTests {
  private let space = Cases.shippedSpace

  @Test func itIsEveryWayToAskTimesEveryValueThatShips() {
    // Five policies ask for a finger; the passcode alone knows neither profiles nor freshness.
    #expect(space.candidates.count == 5 * 7 * 3 * 5 * 2 + 3 * 2)
    #expect(Set(space.candidates).count == space.candidates.count)
    #expect(space.unsolvable == ["second-factor"])
  }

  @Test func everyShippedPolicyIsInItOnEveryShippedDevice() throws {
    for name in Cases.catalog.names where name != "second-factor" {
      let shipped = try Cases.catalog.policy(named: name).get()
      let found = space.candidates.filter { candidate in
        var policy = candidate.policy
        policy.lockout = nil
        return policy == shipped
      }
      let profiles = shipped.requirement.factors.contains(.biometry) ? 7 : 1
      #expect(found.count == profiles * 3, "\(name)")
    }
  }

  @Test func everyCandidateIsAPolicyThatAFileCanHave() throws {
    for candidate in space.candidates {
      let policy = candidate.policy(named: "chosen", summary: "Chosen.")
      let parsed = try PolicyFile.parse(PolicyFile.text(policy), file: "chosen.json")
      #expect(parsed == policy)
    }
  }

  @Test func whatIsNotThereIsNotAskedFor() throws {
    let passcode = ChoiceAuthenticators(factors: .passcode)
    let both = ChoiceAuthenticators(factors: [.biometry, .passcode])
    let key = ChoiceAuthenticators(factors: [.biometry, .passcode], kinds: ["key"])
    func forms(_ all: ChoiceAuthenticators) -> Set<String> {
      Set(space.candidates.filter { all.include($0.policy.requirement) }.map(\.form))
    }
    #expect(forms(passcode) == ["passcode"])
    #expect(forms(both).isDisjoint(with: ["work-laptop"]) && forms(both).count == 5)
    #expect(forms(key).count == 6)
    #expect(!both.include(.possession(.any)) && key.include(.possession(.any)))
    #expect(!key.include(.possession(.kind("code"))))
    #expect(!key.include(.possession(.authenticator("key"))))
    #expect(!key.include(.companion))
  }
}
