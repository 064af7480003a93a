import LocalAuthCore
import LocalAuthTestSupport
import Testing

@Suite struct RequirementTests {
  private let allSets = (UInt8(0)..<16).map(FactorSet.init(rawValue:))
  private let biometry = Requirement.biometry(.any)

  /// Runs `check` on many trees that follow from one seed, which is named when it fails.
  private func onRandomTrees(
    anyBiometry: Bool = false,
    _ check: (Requirement) -> Bool,
    claim: Comment = ""
  ) {
    var generator = SeededGenerator.ofThisRun
    for round in 0..<400 {
      let tree = Requirement.random(depth: 4, anyBiometry: anyBiometry, using: &generator)
      #expect(check(tree), "\(claim) SEED=\(generator.seed) round \(round): \(tree)")
    }
  }

  @Test func nothingIsProvenByAnEmptyList() {
    let everything = Proven(factors: FactorSet(rawValue: 15), biometryGeneration: 0)
    for empty in [Requirement.allOf([]), .anyOf([])] {
      #expect(!empty.isMet(by: everything))
      #expect(!empty.isReachable(from: Proven(), with: FactorSet(rawValue: 15)))
      #expect(empty.next(from: Proven(), with: FactorSet(rawValue: 15)) == nil)
      #expect(empty.useful(from: Proven(), with: FactorSet(rawValue: 15)).isEmpty)
    }
  }

  @Test func aFingerOfAnotherSetDoesNotMeetTheCurrentSet() {
    let current = Requirement.biometry(.current(generation: 7))
    #expect(current.isMet(by: Proven(factors: .biometry, biometryGeneration: 7)))
    #expect(!current.isMet(by: Proven(factors: .biometry, biometryGeneration: 8)))
    #expect(!current.isMet(by: Proven(factors: .biometry)))
    #expect(!current.isMet(by: Proven(factors: .passcode, biometryGeneration: 7)))
  }

  @Test func asksInTheWrittenOrder() {
    let both = Requirement.allOf([biometry, .passcode])
    #expect(both.next(from: Proven(), with: [.biometry, .passcode]) == .biometry)
    #expect(both.next(from: Proven(factors: .biometry), with: [.passcode]) == .passcode)
    let either = Requirement.anyOf([biometry, .passcode])
    #expect(either.next(from: Proven(), with: [.biometry, .passcode]) == .biometry)
    #expect(either.next(from: Proven(), with: .passcode) == .passcode)
    #expect(either.useful(from: Proven(), with: [.biometry, .passcode]) == [.biometry, .passcode])
  }

  @Test func asksForNothingWhenAPartCannotBeMet() {
    let both = Requirement.allOf([biometry, .passcode])
    #expect(both.next(from: Proven(), with: .biometry) == nil)
    #expect(both.obstacle(from: Proven(), with: .biometry) == .passcode)
    #expect(both.obstacle(from: Proven(), with: []) == .biometry)
    let either = Requirement.anyOf([biometry, .passcode])
    #expect(either.obstacle(from: Proven(), with: []) == .passcode)
  }

  @Test func isMetExactlyWhenOneOfItsClausesIsProven() {
    onRandomTrees(anyBiometry: true) { tree in
      allSets.allSatisfy { set in
        let proven = Proven(factors: set, biometryGeneration: 0)
        return tree.isMet(by: proven) == tree.clauses.contains { set.isSuperset(of: $0) }
      }
    }
  }

  @Test func provingMoreNeverLosesWhatWasMet() {
    onRandomTrees { tree in
      allSets.allSatisfy { set in
        let met = tree.isMet(by: Proven(factors: set, biometryGeneration: 1))
        return Factor.allCases.allSatisfy { factor in
          let more = Proven(factors: set.union(factor.alone), biometryGeneration: 1)
          return !met || tree.isMet(by: more)
        }
      }
    }
  }

  @Test func asksExactlyWhileReachableAndUnmet() {
    onRandomTrees { tree in
      everyCase { proven, usable in
        let leadsOn =
          tree.isReachable(from: proven, with: usable) && !tree.isMet(by: proven)
        return (tree.next(from: proven, with: usable) != nil) == leadsOn
          && tree.useful(from: proven, with: usable).isEmpty == !leadsOn
      }
    }
  }

  @Test func asksOnlyForWhatIsUsableAndNamed() {
    onRandomTrees { tree in
      everyCase { proven, usable in
        let useful = tree.useful(from: proven, with: usable)
        let next = tree.next(from: proven, with: usable)?.alone ?? []
        return useful.isSuperset(of: next)
          && usable.intersection(tree.factors).isSuperset(of: useful)
      }
    }
  }

  @Test func followingNextMeetsEveryReachableRequirement() {
    onRandomTrees(anyBiometry: true) { tree in
      everyCase { start, usable in
        var proven = start
        for _ in Factor.allCases {
          guard let factor = tree.next(from: proven, with: usable) else { break }
          guard !proven.factors.contains(factor.alone) else { return false }
          proven.factors.insert(factor.alone)
        }
        return tree.isMet(by: proven) == tree.isReachable(from: start, with: usable)
      }
    }
  }

  @Test func namesAnObstacleExactlyWhenUnreachable() {
    onRandomTrees { tree in
      everyCase { proven, usable in
        let obstacle = tree.obstacle(from: proven, with: usable)
        if let obstacle, usable.contains(obstacle.alone) { return false }
        return (obstacle == nil) == tree.isReachable(from: proven, with: usable)
      }
    }
  }

  private func everyCase(_ check: (Proven, FactorSet) -> Bool) -> Bool {
    allSets.allSatisfy { set in
      allSets.allSatisfy { usable in
        check(Proven(factors: set, biometryGeneration: 1), usable)
      }
    }
  }
}

extension Requirement {
  /// A tree whose lists are never empty.
  fileprivate static func random(
    depth: Int,
    anyBiometry: Bool,
    using generator: inout SeededGenerator
  ) -> Requirement {
    if depth > 0, Bool.random(using: &generator) {
      let parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        random(depth: depth - 1, anyBiometry: anyBiometry, using: &generator)
      }
      return Bool.random(using: &generator) ? .allOf(parts) : .anyOf(parts)
    }
    switch UInt8.random(in: 0..<5, using: &generator) {
    case 0:
      let generation = UInt64.random(in: 0..<3, using: &generator)
      return .biometry(anyBiometry || generation == 0 ? .any : .current(generation: generation))
    case 1: return .passcode
    case 2: return .applicationPassword
    case 3: return .possession(.any)
    default: return .companion
    }
  }

  /// The sets of factors that each meet the requirement alone: its disjunctive normal form.
  fileprivate var clauses: Set<FactorSet> {
    switch self {
    case .biometry: return [.biometry]
    case .passcode: return [.passcode]
    case .applicationPassword: return [.applicationPassword]
    case .companion: return [.companion]
    case .possession: return [.possession]
    case .anyOf(let parts): return parts.reduce(into: []) { $0.formUnion($1.clauses) }
    case .allOf(let parts):
      return parts.reduce([[]]) { sets, part in
        Set(sets.flatMap { set in part.clauses.map { set.union($0) } })
      }
    }
  }
}
