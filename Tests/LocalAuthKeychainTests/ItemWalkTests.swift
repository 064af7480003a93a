import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct ItemWalkTests {
  private static let plain = AccessControl(.whenUnlocked)

  private func guarded(_ flags: AccessControlFlags = .biometryAny) throws -> AccessControl {
    try AccessControl(.whenUnlocked, flags: flags).bound(to: .full)
  }

  private func visit(
    _ walk: inout ItemWalk,
    _ control: AccessControl,
    _ standing: ItemWalk.Standing = .readable,
    number: UInt64 = 1,
    isProven: Bool = false
  ) -> ItemWalk.Action {
    walk.visit(
      standing,
      ItemIdentifier(high: 0, low: number),
      ItemName(.genericPassword, service: "mail \(number)"),
      control,
      control.rule(for: walk.operation(on: control), at: 7),
      isProven: isProven
    )
  }

  @Test func aLockedRowFailsTheWholeQueryAlsoAfterReadableOnes() {
    var walk = ItemWalk(.read(.all), interface: .allow)
    #expect(visit(&walk, Self.plain) == .take)
    #expect(visit(&walk, Self.plain, .locked) == .stop(.locked))
    #expect(KeychainError.locked.status == .interactionNotAllowed)
  }

  @Test func aQueryForOneIsCompleteBeforeItReachesALockedRow() {
    var walk = ItemWalk(.read(.one), interface: .allow)
    #expect(visit(&walk, Self.plain) == .take)
    #expect(walk.isComplete)
    #expect(walk.finish() == .done)
  }

  @Test func anUndecodableRowIsSkippedAndForgottenAndAloneIsNotFound() {
    for purpose: ItemWalk.Purpose in [.read(.all), .update, .delete] {
      var walk = ItemWalk(purpose, interface: .allow)
      #expect(visit(&walk, Self.plain, .undecodable) == .forget)
      #expect(walk.finish() == .fail(.itemNotFound))
    }
  }

  @Test func aRowWhoseInsideNamesAnotherGroupIsSkipped() {
    var walk = ItemWalk(.read(.all), interface: .allow)
    #expect(visit(&walk, Self.plain, .foreign) == .skip)
    #expect(walk.finish() == .fail(.itemNotFound))
  }

  @Test func anItemWithConstraintsNeedsProofAsSoonAsItMatches() throws {
    // The walk does not know what is returned: attributes alone, or nothing, are no exception.
    var walk = ItemWalk(.read(.one), interface: .allow)
    let control = try guarded()
    #expect(visit(&walk, control) == .postpone)
    guard case .prove(let demands) = walk.finish() else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(demands.map(\.accessControl) == [control])
    #expect(demands.map(\.operation) == [.decrypt])
  }

  @Test func withInterfaceFailItIsInteractionNotAllowed() throws {
    var walk = ItemWalk(.read(.all), interface: .fail)
    let action = visit(&walk, try guarded())
    #expect(action == .stop(.authentication(.notInteractive)))
    #expect(KeychainError.authentication(.notInteractive).status == .interactionNotAllowed)
  }

  @Test func withInterfaceSkipItIsAbsent() throws {
    var walk = ItemWalk(.read(.all), interface: .skip)
    #expect(visit(&walk, try guarded()) == .skip)
    #expect(walk.finish() == .fail(.itemNotFound))
    #expect(visit(&walk, Self.plain) == .take)
    #expect(walk.finish() == .done)
  }

  @Test func searchesOfOneCallDemandTogetherAndEachItemIsNamed() throws {
    func demand(_ control: AccessControl, _ number: UInt64) throws -> ItemWalk.Demand {
      var walk = ItemWalk(.read(.count(2)), interface: .allow)
      #expect(visit(&walk, control, number: number) == .postpone)
      guard case .prove(let demands) = walk.finish() else { throw KeychainError.itemNotFound }
      return try #require(demands.first)
    }
    let finger = try guarded()
    var all = try demand(finger, 0)
    for number in 1..<UInt64(NamedItems.mostSearched) {
      #expect(all.join(try demand(finger, number)))
    }
    // Two searches may find one item.
    #expect(all.join(try demand(finger, 3)))
    #expect(all.named.count == NamedItems.mostSearched)
    for number in 0..<NamedItems.mostSearched {
      #expect(all.named.text.contains("\"mail \(number)\""))
    }
    #expect(!all.named.text.contains("more"))
    // Another requirement is asked for by itself.
    #expect(!all.join(try demand(try guarded(.devicePasscode), 99)))
    #expect(all.named.count == NamedItems.mostSearched)
  }

  @Test func everyDistinctAccessControlIsDemandedOnce() throws {
    var walk = ItemWalk(.read(.all), interface: .allow)
    let finger = try guarded()
    let passcode = try guarded(.devicePasscode)
    for control in [finger, passcode, finger, finger] {
      #expect(visit(&walk, control) == .postpone)
    }
    guard case .prove(let demands) = walk.finish() else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(demands.map(\.accessControl) == [finger, passcode])
  }

  @Test func aDemandIsForTheRowsThatWereSeenAndNamesThem() throws {
    var walk = ItemWalk(.read(.all), interface: .allow)
    let control = try guarded()
    for number: UInt64 in [1, 2, 1] { _ = visit(&walk, control, number: number) }
    _ = visit(&walk, Self.plain, number: 3)
    guard case .prove(let demands) = walk.finish() else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(demands.map(\.items) == [[.init(high: 0, low: 1), .init(high: 0, low: 2)]])
    #expect(demands.map(\.named.text) == [#"open 2 items: "mail 1" and "mail 2""#])
    walk.restart()
    _ = visit(&walk, control, number: 9)
    guard case .prove(let again) = walk.finish() else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(again.map(\.items) == [[.init(high: 0, low: 9)]])
  }

  @Test func moreThanOnePromptCanNameIsTooMuchAtOnce() throws {
    var walk = ItemWalk(.read(.all), interface: .allow)
    let control = try guarded()
    for number in 0..<UInt64(Authorizations.mostNamesOfAConnection) {
      guard visit(&walk, control, number: number) == .postpone else {
        Issue.record("refused at \(number)")
        return
      }
    }
    #expect(visit(&walk, control, number: .max) == .stop(.parameter(.tooMuchAtOnce)))
  }

  @Test func withTheProofTheSecondRoundSucceeds() throws {
    var walk = ItemWalk(.read(.one), interface: .allow)
    let control = try guarded()
    _ = visit(&walk, control)
    walk.restart()
    #expect(visit(&walk, control, isProven: true) == .take)
    #expect(walk.finish() == .done)
  }

  @Test func afterTwentyRoundsItIsAuthFailed() throws {
    var walk = ItemWalk(.read(.one), interface: .allow)
    let control = try guarded()
    var proofs = 0
    while true {
      _ = visit(&walk, control)
      guard case .prove = walk.finish() else { break }
      proofs += 1
      walk.restart()
    }
    #expect(proofs == ItemWalk.maximumRounds - 1)
    #expect(walk.finish() == .fail(.authentication(.authenticationFailed)))
  }

  @Test func deletingNeedsNoProofUnderAnAccessControlMadeFromFlags() throws {
    let legal: [AccessControlFlags] = [
      .biometryAny, .userPresence, [.biometryCurrentSet, .or, .devicePasscode],
      [.privateKeyUsage, .biometryAny], .applicationPassword,
    ]
    for flags in legal {
      var walk = ItemWalk(.delete, interface: .fail)
      #expect(visit(&walk, try guarded(flags)) == .take)
    }
  }

  @Test func deletingUnderARuleThatWantsProofNeedsIt() throws {
    var walk = ItemWalk(.delete, interface: .fail)
    let item = ItemIdentifier(high: 0, low: 1)
    let name = ItemName(.genericPassword, service: "mail")
    let action = walk.visit(
      .readable,
      item,
      name,
      Self.plain,
      .requires(.passcode),
      isProven: false
    )
    #expect(action == .stop(.authentication(.notInteractive)))
  }

  @Test func aDeletionOfManyNamesTheirNumber() throws {
    var walk = ItemWalk(.delete, interface: .allow)
    for number: UInt64 in 1...17 {
      let action = walk.visit(
        number % 2 == 0 ? .locked : .readable,
        ItemIdentifier(high: 0, low: number),
        number % 2 == 0 ? ItemName(.genericPassword) : ItemName(.genericPassword, account: "me"),
        Self.plain,
        .requires(.passcode),
        isProven: false
      )
      #expect(action == .postpone)
    }
    guard case .prove(let demands) = walk.finish() else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(
      demands.map(\.named.text)
        == [#"delete 17 items: "me", a password, "me", a password and 13 more"#]
    )
    #expect(demands.map(\.items.count) == [17])
  }

  @Test func lockedItemsMayBeDeleted() {
    var walk = ItemWalk(.delete, interface: .allow)
    #expect(visit(&walk, Self.plain, .locked) == .take)
  }

  @Test func aLockedRowOfWhichOnlyTheContentTellsStopsAlsoADeletion() {
    for purpose: ItemWalk.Purpose in [.read(.all), .update, .delete, .use(.use)] {
      var walk = ItemWalk(purpose, interface: .allow)
      #expect(visit(&walk, Self.plain, .undecided) == .stop(.locked))
    }
  }

  @Test func changingALabelNeedsTheProofOfReading() throws {
    var walk = ItemWalk(.update, interface: .allow)
    #expect(walk.operation(on: Self.plain) == .update)
    #expect(visit(&walk, try guarded()) == .postpone)
  }

  @Test func aLockedRowFailsAnUpdate() {
    var walk = ItemWalk(.update, interface: .allow)
    #expect(visit(&walk, Self.plain, .locked) == .stop(.locked))
  }

  @Test func theDataOfAKeyThatOnlySignsIsForNobody() throws {
    let control = try guarded([.privateKeyUsage, .biometryAny])
    var read = ItemWalk(.read(.one), interface: .allow)
    #expect(visit(&read, control, isProven: true) == .takeWithoutData)
    var update = ItemWalk(.update, interface: .allow)
    #expect(visit(&update, control) == .stop(.authentication(.notPermitted)))
  }

  @Test func nothingSeenIsNotFound() {
    let walk = ItemWalk(.read(.all), interface: .allow)
    #expect(walk.finish() == .fail(.itemNotFound))
  }

  @Test func aLimitOfSeveralIsCompleteAtItsCount() {
    var walk = ItemWalk(.read(.count(2)), interface: .allow)
    _ = visit(&walk, Self.plain)
    #expect(!walk.isComplete)
    _ = visit(&walk, Self.plain)
    #expect(walk.isComplete)
  }
}
