import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import authctl

/// Random passwords.
@Suite struct PasswordRecipeTests {
  private func text(_ secret: borrowing Secret) -> [UInt8] {
    // SAFETY: the bytes of a test's secret are copied within the call.
    unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }

  @Test func hasTheLengthAndEachSetAndNothingElse() throws {
    var generator = SystemRandomNumberGenerator()
    for sets: [CharacterKind] in [
      [.digits], [.lower, .digits], CharacterKind.allCases, [.symbols, .upper],
    ] {
      for length in [sets.count, 8, 24, 1024] {
        let recipe = try #require(PasswordRecipe(length: length, sets: sets))
        let password = text(recipe.password(using: &generator))
        #expect(password.count == length)
        for set in sets { #expect(password.contains { set.characters.contains($0) }, "\(set)") }
        let allowed = Set(sets.flatMap(\.characters))
        #expect(password.allSatisfy { allowed.contains($0) })
      }
    }
  }

  @Test func tooShortForItsSetsIsNoRecipe() {
    #expect(PasswordRecipe(length: 3, sets: CharacterKind.allCases) == nil)
    #expect(PasswordRecipe(length: 0, sets: []) == nil)
    #expect(PasswordRecipe(length: 4, sets: CharacterKind.allCases) != nil)
  }

  @Test func setsAreDisjointASCIIWithoutQuotes() {
    let all = CharacterKind.allCases.flatMap(\.characters)
    #expect(Set(all).count == all.count)
    #expect(all.allSatisfy { (0x21...0x7E).contains($0) })
    for quote in "\"'`\\$".utf8 { #expect(!all.contains(quote)) }
  }

  /// The counts of a hundred thousand characters differ as chance has it.
  @Test func everyCharacterIsAsLikely() throws {
    var generator = SeededGenerator(seed: 16)
    let recipe = try #require(PasswordRecipe(length: 1000, sets: [.symbols, .lower]))
    var counts: [UInt8: Int] = [:]
    for _ in 0..<100 {
      for byte in text(recipe.password(using: &generator)) { counts[byte, default: 0] += 1 }
    }
    let characters = recipe.sets.flatMap(\.characters)
    let expected = 100_000 / Double(characters.count)
    let chi = characters.map { pow2(Double(counts[$0] ?? 0) - expected) / expected }.reduce(0, +)
    // 52 degrees of freedom: 120 is passed once in ten million runs.
    #expect(chi < 120, "chi-squared \(chi)")
  }

  private func pow2(_ value: Double) -> Double { value * value }

  @Test func setsAreWordsBetweenCommas() {
    #expect(CharacterKinds(argument: "lower,digits")?.kinds == [.lower, .digits])
    for wrong in ["", ",", "lower,", "lower,lower", "Lower", "a-z", "lower digits"] {
      #expect(CharacterKinds(argument: wrong) == nil, "\(wrong)")
    }
    for wrong in ["0", "1025", "-1", "x", ""] { #expect(PasswordLength(argument: wrong) == nil) }
  }
}
