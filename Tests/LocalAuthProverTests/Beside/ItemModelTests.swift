import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthProver

/// The authorizations of items hold what they promise, and each check of it can fail.
@Suite struct ItemModelTests {
  private static let names = ItemModel.all.map(\.name)

  private func model(_ flags: String = "biometryAny") throws -> ItemModel {
    try #require(ItemModel.all.first { $0.name == "items: " + flags })
  }

  private func demand(
    _ context: Int = 0,
    _ operations: [AccessOperation] = [.decrypt],
    _ items: Set<ItemIdentifier>? = [ItemModel.items[0]]
  ) -> ItemDemand {
    ItemDemand(context: ItemModel.contexts[context], operations: operations, items: items, call: 1)
  }

  /// The model after these events, which break nothing.
  private func play(_ model: ItemModel, _ events: [ItemEvent]) -> ItemModel {
    var model = model
    for event in events {
      #expect(model.apply(event).broken == nil)
      #expect(model.inspect().broken == nil)
    }
    return model
  }

  @Test(arguments: names) func everyOrderOfEventsHolds(_ name: String) throws {
    let model = try #require(ItemModel.all.first { $0.name == name })
    var exploration = SmallExploration(model)
    exploration.run(states: 3000)
    #expect(exploration.violations.map(\.trace) == [])
    #expect(exploration.depth >= 2)
    for property in ItemProperty.allCases where property != .eachUseIsProven {
      #expect(exploration.premises[property] != nil, "\(property.name)")
    }
  }

  @Test func eachUseIsAtRiskWhereItIsPromised() throws {
    for flags in ["biometryAny,eachUse", "biometryAny,privateKeyUsage"] {
      var exploration = SmallExploration(try model(flags))
      exploration.run(states: 500)
      #expect(exploration.premises[.eachUseIsProven] ?? 0 > 0)
    }
  }

  @Test func theSameIsFoundEachTime() throws {
    func states() throws -> [Int] {
      var exploration = SmallExploration(try model("userPresence"))
      exploration.run(states: 2000)
      return [exploration.states, exploration.transitions, exploration.depth]
    }
    #expect(try states() == states())
  }

  // MARK: Faults that are planted

  @Test func anAuthorizationThatNobodyProvedBreaksItemIsProven() throws {
    var model = play(try model(), [.success(demand(), .biometry), .success(demand(1), .biometry)])
    model.facts.removeFirst()
    #expect(model.inspect().broken == .itemIsProven)
  }

  @Test func anAuthorizationThatOutlivesItsContextBreaksProofEnds() throws {
    var model = play(try model(), [.success(demand(), .biometry)])
    let kept = model.authorizations
    let before = model.facts
    _ = model.apply(.contextEnds(ItemModel.contexts[0]))
    model.authorizations = kept
    var seen = Witnessed<ItemProperty>()
    model.checkEnds(of: before, &seen)
    #expect(seen.broken == .proofEnds)
  }

  @Test func aSecondUseOfWhatAsksAtEachUseBreaksEachUseIsProven() throws {
    var model = play(try model("biometryAny,eachUse"), [.success(demand(), .biometry)])
    model.facts[0].call = 2
    #expect(model.inspect().broken == .eachUseIsProven)
  }

  @Test func anAuthorizationThatIsLostBreaksProofCounts() throws {
    var model = play(try model(), [.success(demand(), .biometry)])
    model.authorizations.deviceClosed()
    #expect(model.inspect().broken == .proofCounts)
  }

  @Test func askingAgainForWhatIsProvenBreaksCoverIsWhole() throws {
    var model = play(try model(), [.success(demand(), .biometry)])
    model.facts[0].demand = demand(0, [.decrypt], nil)
    model.authorizations =
      play(try self.model(), [.success(demand(0, [.decrypt], nil), .biometry)])
      .authorizations
    #expect(model.inspect().broken == nil)
    model.facts[0].demand = demand(0, [.decrypt], Set(ItemModel.items))
    #expect(model.inspect().broken == .coverIsWhole)
  }

  // MARK: What the access controls promise

  @Test func anotherSetOfFingersLeavesThePasscode() throws {
    let model = try model("biometryCurrentSet,or,devicePasscode")
    let changed = play(
      model,
      [.success(demand(), .biometry), .fingersChange, .success(demand(1), .passcode)]
    )
    #expect(changed.facts.map(\.factors) == [.passcode])
  }

  @Test func timeEndsWhatWasProven() throws {
    let proven = play(try model(), [.success(demand(), .biometry), .timePasses])
    #expect(proven.facts.count == 1)
    #expect(play(proven, [.timePasses]).facts.isEmpty)
  }
}
