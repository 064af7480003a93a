import NotesCore
import Testing

@testable import notes

/// What the program says, without a terminal.
@Suite struct WordsTests {
  private static let rolledBack =
    "documents: the hub ends at entry 0, and entry 3 was verified here: an older copy was put back"

  @Test func aHubThatWasRolledBackIsSaidInWordsWithTheWayOn() {
    let words = Words.of(.trouble(.doubted([Self.rolledBack])))
    #expect(words.contains("The hub of your devices is not believed:\n  \(Self.rolledBack)\n"))
    #expect(words.contains("Nothing is deleted here."))
    #expect(words.contains("'authctl sync status' says what to do."))
    #expect(Words.of(.over).contains("share again"))
  }

  @Test(
    arguments: [
      (Circle.together, "All your devices have it as 'a'."), (.none, "no other one has it yet"),
      (.troubled(.unreached("it is off")), "once the hub is reached"),
      (.troubled(.doubted([])), "until the hub is believed again"),
      (.troubled(.removed), "until this one joins again"),
      (.troubled(.stateWasChanged), "until this one joins again"),
    ] as [(Circle, String)]
  )
  func whoSharesHearsWhoHasIt(_ circle: Circle, _ words: String) {
    #expect(Words.shared("a", circle).contains(words))
  }

  @Test(arguments: [.unreached("it is off"), .removed, .stateWasChanged] as [CircleTrouble])
  func everyTroubleIsSaid(_ trouble: CircleTrouble) {
    let words = Words.of(.trouble(trouble))
    #expect(words.contains("hared notes stay"))
    if case .unreached(let reason) = trouble { #expect(words.contains(reason)) }
  }

  @Test(
    arguments: [
      (Touch.throttled(.seconds(60)), "judged in 1 minute"),
      (.throttled(nil), "judges none any more"),
      (.noPasscode, "has no passcode"), (.lockedOut, "the passcode of the device opens the notes"),
    ] as [(Touch, String)]
  )
  func aLoginSaysWhatStandsInItsWay(_ touch: Touch, _ words: String) {
    #expect(Words.of(.login(name: "ann", touch: touch, nil)).contains(words))
  }
}
