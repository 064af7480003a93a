/// The technical terms of a report, for a reader who knows none of them.
enum ReportWords {
  /// A term, and what it means.
  struct Entry {
    /// The term as it is listed.
    let term: String
    /// Every form in which it stands on a page.
    let forms: [String]
    let meaning: String

    init(_ term: String, _ forms: [String], _ meaning: String) {
      (self.term, self.forms, self.meaning) = (term, forms, meaning)
    }
  }

  /// All terms, in the order of the alphabet.
  static let all = [
    Entry("AC-7", ["AC-7"], "the rule of NIST SP 800-53 about tries that fail one after the other"),
    Entry("acr", ["acr"], "a name that tells a service what was proven"),
    Entry("attempt", ["attempt", "attempts"], "one touch or one passcode that the device judges"),
    Entry(
      "authenticator",
      ["authenticator", "authenticators"],
      "a thing or a program that proves who somebody is"
    ),
    Entry(
      "blocklist",
      ["blocklist"],
      "passcodes that nobody may choose, because they are guessed first"
    ),
    Entry("enrol", ["enrol", "enrols", "enrolled"], "make a finger known to the device"),
    Entry("fake", ["fake", "fakes"], "something that is made to pass for the owner's finger"),
    Entry(
      "fallback",
      ["fallback", "fallbacks"],
      "a passcode that is typed although a finger would have been enough"
    ),
    Entry(
      "false match rate (FMR, FAR)",
      ["false match", "FMR", "FAR"],
      "how often a stranger's finger is taken for one that the device knows"
    ),
    Entry(
      "false non-match rate (FNMR, FRR)",
      ["false non-match", "FNMR", "FRR"],
      "how often the right finger is not recognized"
    ),
    Entry(
      "false rejection",
      ["false rejection", "false rejections"],
      "the right finger is refused, after as many touches as are allowed"
    ),
    Entry("FIDO", ["FIDO"], "an alliance of companies that certifies what proves who somebody is"),
    Entry(
      "grant",
      ["grant", "grants"],
      "what a success leaves: the same program is answered again for a time, and nobody is asked"
    ),
    Entry(
      "IAPAR (also SAR, IAR)",
      ["IAPAR", "SAR", "IAR"],
      "how often a sensor takes a copy of the owner's finger for the finger, at worst"
    ),
    Entry(
      "lockout",
      ["lockout", "lockouts", "locked out", "locks fingers out"],
      "the sensor refuses every finger after too many misses, for a time or until the passcode is typed"
    ),
    Entry(
      "lockout profile",
      ["lockout profile"],
      "after how many misses fingers are refused, and for how long"
    ),
    Entry("miss", ["miss", "misses", "missed"], "a touch by which the sensor recognizes nobody"),
    Entry("NIST", ["NIST"], "the standards institute of the United States"),
    Entry(
      "order of magnitude",
      ["order of magnitude", "orders of magnitude"],
      "a number of which only the size is known, and not one digit"
    ),
    Entry(
      "passcode delays",
      ["passcode delays"],
      "how long no passcode is taken after wrong ones"
    ),
    Entry(
      "policy",
      ["policy", "policies"],
      "what somebody has to show before they are let in, and how often they may try"
    ),
    Entry("print", ["print", "prints"], "a finger as the device knows it"),
    Entry("score", ["score", "scores"], "how alike a touch and a known finger look, as a number"),
    Entry("session", ["session"], "what belongs to one login of a person, with all programs in it"),
    Entry(
      "STIG",
      ["STIG"],
      "settings that the Department of Defense of the United States asks for"
    ),
    Entry(
      "transaction",
      ["transaction", "transactions"],
      "the first time in a login that a finger is asked for, with all its touches"
    ),
    Entry("variance", ["variance"], "how far numbers lie apart"),
  ]

  /// The terms that stand on `page`, or in what is said of one that does.
  static func used(in page: HTML) -> [Entry] {
    var text = spaced(page.text)
    var used: Set<String> = []
    while true {
      let found = all.filter { entry in
        !used.contains(entry.term) && entry.forms.contains { text.contains(spaced($0)) }
      }
      guard !found.isEmpty else { return all.filter { used.contains($0.term) } }
      for entry in found {
        used.insert(entry.term)
        text += spaced(entry.meaning)
      }
    }
  }

  /// The words of `text`, each between spaces; small but for those of capitals, such as FAR.
  private static func spaced(_ text: String) -> String {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "-") }
    return words.reduce(into: " ") { spaced, word in
      let isAbbreviation = word.count > 1 && word.allSatisfy { !$0.isLowercase }
      spaced += (isAbbreviation ? String(word) : word.lowercased()) + " "
    }
  }

  /// The section that explains what stands on `page`; nothing if no term does.
  static func section(of page: HTML) -> HTML {
    let entries = used(in: page).flatMap { entry in
      [HTML.element("dt", entry.term), .element("dd", entry.meaning)]
    }
    return HTML(entries.isEmpty ? [] : [.element("h2", "Words"), .element("dl", entries)])
  }
}
