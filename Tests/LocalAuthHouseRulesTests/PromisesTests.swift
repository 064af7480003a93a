import Testing

/// Whatever the documents promise is attacked by a test, and `docs/promises.md` says by which.
@Suite struct PromisesTests {
  /// What is read by people who want to know what they may rely on.
  private static let documents = [
    "README.md", "SECURITY.md", "docs/guarantees.md", "docs/guide.md", "docs/install.md",
    "docs/threat-model.md", "docs/prior-cves.md", "docs/man/authctl.1",
    "docs/man/localauth-authenticator.5", "docs/man/localauth-bus.8",
    "docs/man/localauth-entitlements.5", "docs/man/localauth-fuse.8",
    "docs/man/localauth-pam-worker.8",
    "docs/man/localauth-policy.5", "docs/man/localauth-sync.8",
    "docs/man/localauthd.8", "docs/man/pam_localauth.8",
  ]

  @Test func everyDocumentHasItsTable() throws {
    #expect(try PromiseBook().documents == Self.documents)
    let manuals = try SourceTree.names(in: "docs/man").map { "docs/man/" + $0 }
    #expect(Set(manuals).isSubset(of: Self.documents))
  }

  @Test(arguments: documents)
  func everySentenceThatPromisesHasARow(_ document: String) throws {
    let quotes = try PromiseBook().rows.filter { $0.document == document }.flatMap(\.quotes)
    for sentence in try DocumentSentences.of(document) {
      guard sentence.isPromise, !sentence.namesATest else { continue }
      if !quotes.contains(where: sentence.text.contains) {
        Issue.record("\(document) promises, and \(PromiseBook.path) has no row: \(sentence.text)")
      }
    }
  }

  @Test(arguments: documents)
  func everyPromiseStandsInItsDocumentAndInOneSentence(_ document: String) throws {
    let sentences = Set(try DocumentSentences.of(document).map(\.text))
    for quote in try PromiseBook().rows.filter({ $0.document == document }).flatMap(\.quotes) {
      let hits = sentences.filter { $0.contains(quote) }.count
      #expect(hits == 1, "\(document): \"\(quote)\" stands in \(hits) sentences")
    }
  }

  @Test func everyPromiseNamesTestsThatExist() throws {
    for row in try PromiseBook().rows {
      if row.tests.isEmpty && !row.isNoPromise {
        Issue.record("\(row.document): nothing attacks \(row.quotes)")
      }
      for name in row.tests where !NamedTests.exists(name) {
        Issue.record("\(PromiseBook.path): there is no test and no attack \(name)")
      }
    }
  }

  @Test func whatIsNoPromiseHasAReason() throws {
    for row in try PromiseBook().rows where row.isNoPromise {
      let reason = row.answer.dropFirst(PromiseBook.noPromise.count)
      #expect(reason.split(separator: " ").count > 2, "\(row.document): \(row.quotes)")
    }
  }

  @Test(
    arguments: [
      ("It never sleeps.", true), ("Nothing is lost.", true), ("It must be root's.", true),
      ("The default is 30 seconds.", false), ("It knows another way.", false),
    ]
  )
  func promisesAreKnownByTheirWords(_ text: String, _ isPromise: Bool) {
    #expect(DocumentSentence(text: text, isListed: false).isPromise == isPromise)
  }

  @Test func markdownIsCutIntoSentencesRowsAndPoints() {
    var reader = MarkdownSentences()
    let sentences = reader.read(
      """
      # A heading that never counts
      One `word` of
      [a link](never.md). Two, e.g. this.
      ## Principles
      * **Fail closed.** Every error is a no.
      | tries to | what happens |
      |---|---|
      | read | he reads a zero |
      ```
      nothing
      ```
      """
    )
    let texts = [
      "One word of a link.", "Two, e.g. this.", "Fail closed: Every error is a no.",
      "| read | he reads a zero |",
    ]
    #expect(sentences.map(\.text) == texts)
    #expect(sentences.map(\.isListed) == [false, false, true, true])
  }

  @Test func manualPagesAreCutIntoSentences() {
    var reader = ManualSentences()
    let sentences = reader.read(
      """
      .Sh DESCRIPTION
      With
      .Fl \\-all ,
      it reads
      .Pa /etc .
      It
      .Em never
      writes.
      .Bd -literal
      nothing here
      .Ed
      .Sh SYNOPSIS
      Nothing here.
      """
    )
    #expect(sentences.map(\.text) == ["With --all, it reads /etc.", "It never writes."])
  }
}
