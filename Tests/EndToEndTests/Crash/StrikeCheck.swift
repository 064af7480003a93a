import LocalAuthJSON
import Testing

/// Holds what is durable of a device against what its client was told.
enum StrikeCheck {
  /// Checks a device of a daemon that was started again, and leaves its passcode untroubled.
  static func check(
    _ device: String,
    _ book: inout StrikeBook,
    with client: WireClient,
    _ context: Comment
  ) throws {
    let state = try client.status(device)
    #expect(!state.isDistrusted, "\(context): a mere crash cost \(device) its trust")
    let misses = StrikeBook.locksAt - (state.attemptsLeft ?? 0)
    #expect(
      book.possibleMisses.contains(misses),
      "\(context): \(device) has \(misses) misses; possible: \(book.possibleMisses.sorted())"
    )
    #expect(
      (misses == StrikeBook.locksAt) == (state.biometry == "biometryLockout")
        || state.biometry == "biometryNotEnrolled",
      "\(context): \(device) is \(state.biometry) after \(misses) misses"
    )
    let wrong = StrikeBook.passcodeLocksAt - (state.passcodeAttemptsLeft ?? 0)
    #expect(
      book.possibleWrongPasscodes.contains(wrong),
      "\(context): \(device) has \(wrong) wrong passcodes; possible: \(book.possibleWrongPasscodes)"
    )
    try checkAudit(device, book, with: client, context)
    book.found(misses: misses, wrongPasscodes: wrong)
    book.forgetAnswers()
  }

  /// Whoever got an answer finds it in the audit.
  private static func checkAudit(
    _ device: String,
    _ book: StrikeBook,
    with client: WireClient,
    _ context: Comment
  ) throws {
    guard !book.answers.isEmpty else { return }
    var lines: [String: JSONValue] = [:]
    for line in try client.audit(device, limit: 10_000) {
      lines[line["evaluation"]?.string ?? ""] = line
    }
    for answer in book.answers {
      let line = lines[answer.evaluation]
      #expect(line?["outcome"]?.string == answer.outcome, "\(context): \(answer) in \(device)")
      #expect(line?["attempts"]?.integer == answer.attempts, "\(context): \(answer) in \(device)")
    }
  }
}
