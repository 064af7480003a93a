import Testing

@testable import authctl

/// The terms that a report explains.
@Suite struct ReportWordsTests {
  private func terms(_ text: String) -> [String] {
    ReportWords.used(in: HTML(text)).map(\.term)
  }

  @Test func onlyTermsOfThePageAreExplained() {
    #expect(terms("Nobody gets in.").isEmpty)
    #expect(ReportWords.section(of: HTML("Nobody gets in.")).markup.isEmpty)
    #expect(terms("two prints") == ["print"])
    #expect(terms("an order of magnitude") == ["order of magnitude"])
  }

  @Test func anAbbreviationIsNoOtherWord() {
    #expect(terms("met as far as assessed").isEmpty)
    #expect(terms("FAR less than 1 in 50000") == ["false match rate (FMR, FAR)"])
  }

  @Test func aTermIsFoundAtTheBeginningOfASentenceAndInNoOtherTerm() {
    #expect(terms("Grants end.") == ["grant"])
    #expect(terms("It was printed, and the fingerprint was missing.").isEmpty)
  }

  @Test func markupIsNoText() {
    let page = HTML.element("p", ["class": "grant"], [HTML("Nobody"), .element("b", "gets in")])
    #expect(ReportWords.used(in: page).isEmpty)
    #expect(page.text.split(separator: " ") == ["Nobody", "gets", "in"])
  }

  @Test func whatAnExplanationSaysIsExplainedToo() {
    #expect(terms("lockout").contains("miss"))
  }

  @Test func termsAreInOrderAndEachHasItsOwn() {
    let terms = ReportWords.all.map(\.term)
    #expect(terms == terms.sorted { $0.lowercased() < $1.lowercased() })
    let forms = ReportWords.all.flatMap(\.forms)
    #expect(Set(forms).count == forms.count)
  }
}
