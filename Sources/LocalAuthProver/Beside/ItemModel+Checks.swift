import LocalAuthCore
import LocalAuthKeychain

extension ItemModel {
  /// A person proves `factors` for `demand`.
  mutating func succeed(
    _ demand: ItemDemand,
    _ factors: FactorSet,
    _ seen: inout Witnessed<ItemProperty>
  ) {
    guard let evaluation = evaluation(of: demand, factors) else { return }
    let isGranted = grant(demand, by: evaluation)
    seen.check(.proofCounts, isGranted)
    let servesItsCall =
      demand.items != nil && (itemGuard.accessControl.asksAtEachUse || demand.usesKey)
    facts.removeAll { $0.demand == demand }
    facts.append(Fact(demand: demand, factors: factors, call: servesItsCall ? demand.call : nil))
  }

  /// A call uses an item for the first time since somebody proved it before any call.
  mutating func begin(_ use: ItemUse, _ seen: inout Witnessed<ItemProperty>) {
    let isProven = authorizations.proof(for: use, at: now, generation: generation) != nil
    seen.check(.proofCounts, isProven)
    // One that serves this call already has nothing to begin.
    let open = facts.firstIndex { $0.opens(use, as: itemGuard, at: generation) }
    guard let open, facts[open].demand.items == nil else { return }
    facts[open].demand = ItemDemand(
      context: use.context,
      operations: [use.operation],
      items: [use.item],
      call: use.call
    )
    facts[open].call = use.call
  }

  private mutating func grant(_ demand: ItemDemand, by evaluation: EvaluationMachine) -> Bool {
    authorizations.grant(
      demand.scope(itemGuard.accessControl),
      by: evaluation,
      at: generation,
      until: now + Authorizations.longest
    )
  }

  /// Checks that nothing opens any more what only the facts of `before` opened that have ended.
  func checkEnds(of before: [Fact], _ seen: inout Witnessed<ItemProperty>) {
    guard facts.count < before.count else { return }
    for use in itemGuard.uses
    where before.contains(where: { $0.opens(use, as: itemGuard, at: generation) }) {
      if !owes(use) {
        let isAllowed = authorizations.allows(use, at: now, generation: generation)
        seen.check(.proofEnds, !isAllowed)
      }
    }
  }

  // MARK: What must hold in every situation

  /// Tries every use, every question whether to ask, and every success that is none.
  public func inspect() -> Witnessed<ItemProperty> {
    var seen = Witnessed<ItemProperty>()
    for use in itemGuard.uses { check(use, &seen) }
    checkCovers(&seen)
    checkStrangeSuccesses(&seen)
    return seen
  }

  /// Checks what a call may try against what really happened.
  private func check(_ use: ItemUse, _ seen: inout Witnessed<ItemProperty>) {
    let isAllowed = authorizations.allows(use, at: now, generation: generation)
    var copy = authorizations
    let isProven = copy.proof(for: use, at: now, generation: generation) != nil
    if owes(use) {
      seen.check(.proofCounts, isAllowed && isProven)
    } else if facts.contains(where: { $0.call != nil && $0.call != use.call }) {
      seen.check(.eachUseIsProven, !isAllowed && !isProven)
    } else if !facts.isEmpty || isAllowed || isProven {
      seen.check(.itemIsProven, !isAllowed && !isProven)
    }
  }

  private func owes(_ use: ItemUse) -> Bool {
    itemGuard.isFree(use.operation)
      || facts.contains { $0.opens(use, as: itemGuard, at: generation) }
  }

  /// Checks that a program that asks before any call is asked to prove nothing twice.
  func checkCovers(_ seen: inout Witnessed<ItemProperty>) {
    for context in Self.contexts {
      for operations in [[itemGuard.operations[0]], itemGuard.operations] {
        let demand = ItemDemand(context: context, operations: operations, items: nil, call: 1)
        let isWhole = operations.allSatisfy { operation in
          facts.contains { fact in
            fact.demand.context == context && fact.demand.items == nil
              && fact.demand.operations.contains(operation)
              && fact.proves(operation, of: itemGuard, at: generation)
          }
        }
        let covers = authorizations.covers(
          demand.scope(itemGuard.accessControl),
          at: now,
          generation: generation
        )
        if isWhole || !facts.isEmpty || covers { seen.check(.coverIsWhole, covers == isWhole) }
      }
    }
  }

  /// Checks that what is no success of what was asked for authorizes nothing.
  func checkStrangeSuccesses(_ seen: inout Witnessed<ItemProperty>) {
    let demand = ItemDemand(
      context: Self.contexts[0],
      operations: [itemGuard.operations[0]],
      items: [Self.items[0]],
      call: 1
    )
    for evaluation in strangeEvaluations(of: demand) {
      var copy = self
      let isGranted = copy.grant(demand, by: evaluation)
      seen.check(.onlySuccessCounts, !isGranted && copy.authorizations == authorizations)
    }
  }
}

extension ItemModel.Fact {
  /// Whether it opens what `use` is about.
  func opens(_ use: ItemUse, as itemGuard: ItemGuard, at generation: UInt64) -> Bool {
    use.accessControl == itemGuard.accessControl && use.context == demand.context
      && demand.operations.contains(use.operation) && call.map { $0 == use.call } ?? true
      && demand.items.map { $0.contains(use.item) } ?? true
      && proves(use.operation, of: itemGuard, at: generation)
  }

  /// Whether what was proven is what `operation` asks for.
  func proves(_ operation: AccessOperation, of itemGuard: ItemGuard, at generation: UInt64) -> Bool
  {
    itemGuard.ways(of: operation, at: generation).contains { $0.isSubset(of: factors) }
  }
}

extension ItemDemand {
  /// Whether a private key is used.
  var usesKey: Bool { operations.contains { [.sign, .computeKey, .decapsulate].contains($0) } }
}
