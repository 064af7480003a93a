import Glibc
import LocalAuthAnalysis
import LocalAuthJSON
import Testing

@testable import authctl

/// `policy report`.
@Suite struct PolicyReportTests {
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  private static let python = root + "/.build/python/bin/python"
  private static let hasBrowser =
    // SAFETY: the strings are C strings for the length of the calls.
    unsafe access("/usr/bin/chromium", X_OK) == 0 && access(python, X_OK) == 0

  /// What a browser says of these pages.
  private func look(at pages: [String], _ scratch: Scratch) throws -> ProgramRun {
    // A browser leaves things at home.
    try ProgramRun(
      [Self.root + "/Tests/Report/pages.py"] + pages,
      executable: Self.python,
      environment: ["HOME=\(scratch.path)"]
    )
  }

  private func run(_ line: String) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init), environment: [])
  }

  @Test func onePageSaysEverythingAndNeedsNothing() throws {
    let run = try run("policy report device-owner --days 2")
    #expect(run.status == 0, "\(run.error)")
    let page = run.output
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    for heading in [
      "The policy in words", "What it means for 1,000 people", "What attackers achieve",
      "How sure these numbers are", "Public rules", "Words",
    ] {
      #expect(page.contains("<h2>\(heading)</h2>"), "\(heading)")
    }
    for foreign in ["<script", "http:", "https:", "src=", "href=", "@import", "url("] {
      #expect(!page.contains(foreign), "\(foreign)")
    }
    for choice in AttackerChoice.allCases {
      #expect(page.contains(StudySentences.who(choice).htmlText), "\(choice)")
    }
    #expect(page.contains("<li>Asks for a finger, or else the passcode.</li>"))
  }

  @Test func theNumbersAreThoseOfSolve() throws {
    let page = try run("policy report device-owner --days 2").output
    let solved = try run("--json policy solve device-owner --days 2 --attacker pin").object
    let quantities = solved["quantities"]?.elements ?? []
    func value(_ name: String) throws -> Double {
      let found = try #require(quantities.first { $0["name"]?.string == name }?["value"])
      guard case .number(let number) = found.content else { return 0 }
      return number
    }
    let lockouts = StudySentences.grouped(RateText.rounded(1000 * (try value("lockouts"))))
    #expect(page.contains("All 1,000 together meet \(lockouts) lockouts a year."))
    let tries = StudySentences.grouped(RateText.rounded(1 / (try value("success.pin"))))
    #expect(page.contains("guesses the passcode gets in, in about 1 of \(tries) cases."))
    #expect(page.contains("not met</span>: FAR less than 1 in 50000 (C-1-1)."))
    #expect(page.contains("not assessed</span>: "))
  }

  @Test func nothingIsSaidOfFingersThatAreNotAskedFor() throws {
    let page = try run("policy report passcode --days 1").output
    #expect(page.contains("The policy asks for no finger, so none is refused"))
    #expect(page.contains("keeps nobody out: the policy asks for no finger."))
    #expect(page.contains("No finger is asked for, so no sensor is in these numbers."))
    for words in [
      "begin with a finger", "locks fingers out", "All 1,000 together", "<svg", "1 print",
    ] {
      #expect(!page.contains(words), "\(words)")
    }
  }

  /// Whoever only touches on purpose has no chance to get in that a bar or a row could show.
  @Test func touchesOnPurposeAloneMakeNoEmptyTable() throws {
    let line = "--days 1 --attacker malicious-toucher"
    let side = try run("policy report passcode biometrics --compare \(line)").output
    #expect(!side.contains("<tbody></tbody>"))
    #expect(side.contains("locks fingers out with 3 touches"))
    let page = try run("policy report biometrics \(line)").output
    #expect(page.contains("locks fingers out with 3 touches"))
    for text in [side, page] {
      #expect(!text.contains("Each of them has"))
      #expect(!text.contains("Ours, from no publication"))
    }
  }

  @Test func attackersComeWithTheNumbersThatTheyRestOn() throws {
    let page = try run("policy report device-owner --days 1").output
    #expect(page.contains("Each of them has 4 hours from when the owner used the device last"))
    #expect(
      page.contains(
        #/If none succeeds, they have 3 touches and \d+ guesses in 4 hours \(attempts\)/#
      )
    )
    for sentence in [
      "A touch of their finger matches in about 1 of 50,000 cases (a false match).",
      "A fake passes in about 70 of 1,000 cases (the IAPAR), which is ours: nothing is known of this sensor. "
        + "If half as many passed, they would get in, in about 101 of 1,000 cases. If twice as many passed, "
        + "they would get in, in about 364 of 1,000 cases.",
      "Passcodes count as drawn by lot, and as of 4 digits; both is ours.",
      "The model has no owners who are easier to match than others, because how much they differ is published "
        + "nowhere;",
      "They guess among 10,000 passcodes, each as likely as the others.",
      "They saw all of it in about 108 of 1,000 cases (published of six digits in one video), and else "
        + "2 digits of it (ours), which leaves 100 passcodes to guess among.",
      "The policy lets a success answer again for 5 minutes at most (a grant), and the program asks in "
        + "that time.",
      "Ours, from no publication: how long a touch takes an attacker (1 second); how long a passcode "
        + "takes an attacker to type (4 seconds);",
    ] {
      #expect(page.contains(sentence.htmlText), "\(sentence)")
    }
  }

  @Test func howOftenFakesPassIsNotOursIfItWasGiven() throws {
    let line = "policy report biometrics --days 1 --attacker presentation --iapar 0.07"
    let page = try run(line).output
    #expect(page.contains("A fake passes in about 70 of 1,000 cases (the IAPAR)."))
    #expect(!page.contains("would get in"))
  }

  /// The median is tens of times as many with one number changed, so nothing is built on it.
  @Test func whatOneNumberMakesAnotherComesWithItsRange() throws {
    let page = try run("policy report device-owner --days 2").output
    let items = page.split(separator: "<li>").map(String.init)
    for start in ["Of 1,000 people, ", "All 1,000 together meet "] {
      let item = try #require(items.first { $0.hasPrefix(start) })
      #expect(
        item.contains(
          /With one number of ours changed it is between .* and .*, so it is known to an order of magnitude/
        ),
        "\(item)"
      )
    }
    #expect(
      page.contains(
        /were not locked out once in 2 days\. With one number of ours changed it is between/
      )
    )
    #expect(!page.contains("half of the people"))
    let side = try run("policy report device-owner passcode --compare --days 2").output
    #expect(side.contains("take them for orders of magnitude"))
    #expect(side.contains("locks fingers out with 3 touches"))
    #expect(side.contains("not known</span>: "))
    #expect(side.contains("not assessed</span>: the policy asks for no finger"))
  }

  /// A bar of half the width is far from every second time.
  @Test func eachBarHasMarksAndTheScaleIsSaidBeforeTheBars() throws {
    let page = try run("policy report device-owner --days 1").output
    let parts = page.split(separator: "<div class=\"bar\"")
    #expect(parts.count == AttackerChoice.allCases.count)
    #expect(parts[0].contains("each mark to the right is ten times as often"))
    for part in [parts[0], parts[parts.count - 1]] { #expect(part.contains("one in a million")) }
    // A tenth as often is a ninth of the width shorter, and so are the marks apart.
    #expect(page.contains(".bar::after") && page.contains("calc(100% / 9)"))
    #expect(ReportPictures.bar(1e-3, label: "").markup.contains("width: 66.67%"))
    let other = try run("policy report passcode --days 1 --attacker malicious-toucher").output
    #expect(!other.contains("each mark to the right"))
  }

  @Test func whatWasGivenForAttackersIsNotCalledOurs() throws {
    let line = "--attacker shoulder --seen-digits 1 --seen-whole 0.5 --attack-time 1m"
    let page = try run("policy report passcode --days 1 \(line)").output
    #expect(
      page.contains(
        "They saw all of it in about 500 of 1,000 cases, and else 1 digit of it, which leaves 1,000 "
          + "passcodes to guess among."
      )
    )
    #expect(page.contains("Each of them has 1 minute from"))
    #expect(!page.contains("(ours)"))
  }

  /// Whoever cannot get in at all is said why.
  @Test(arguments: [
    ("passcode", "zero-effort", "The policy asks for no finger."),
    ("biometrics-and-passcode", "presentation", "The policy asks for more than a finger."),
    ("biometrics --iapar 0", "presentation", "The sensor takes none of them."),
  ])
  func whoNeverGetsInIsSaidWhy(_ policy: String, _ attacker: String, _ why: String) throws {
    let page = try run("policy report \(policy) --days 1 --attacker \(attacker)").output
    #expect(page.contains("cannot get in within 4 hours. \(why)"), "\(page)")
  }

  @Test func attackersAreAmongWhatIsHalvedAndDoubled() throws {
    let page = try run("policy report passcode --days 1 --attacker pin --attack-time 8s").output
    #expect(page.contains("<h3>\(StudySentences.who(.pin)) gets in: "))
    #expect(page.contains("how slow an attacker is, in times of what we assume (1): "))
  }

  @Test func aPasscodeStandsInForNoFingerThatIsNotEnough() throws {
    let page = try run("policy report biometrics-and-passcode --days 1 --attacker pin").output
    #expect(
      page.contains("A finger alone does not meet the policy, so no passcode stands in for one")
    )
    #expect(
      page.contains("A finger counts again once the owner opens the device with the passcode.")
    )
    #expect(!page.contains("the passcode although a finger"))
  }

  @Test func everyAbbreviationIsExplainedOnItsPage() throws {
    let line = "policy report device-owner work-laptop --days 1"
    for page in [try run(line).output, try run(line + " --compare").output] {
      let parts = page.split(separator: "<h2>Words</h2>")
      #expect(parts.count == 2)
      let body = parts[0].split(separator: "<body>").last ?? ""
      for word in body.matches(of: #/\b[A-Z]{3,}\b/#).map({ String($0.output) }) {
        let entry = ReportWords.all.first { $0.forms.contains(word) }
        #expect(entry.map { parts[1].contains("<dt>\($0.term)</dt>") } == true, "\(word)")
      }
    }
  }

  @Test func whatThereIsOneOfIsSingular() throws {
    let line =
      "policy report device-owner --days 1 --logins 1 --attack-time 1h --digits 1 --seen-digits 1"
    for words in ["", " biometrics --compare"] {
      let page = try run(line + words).output
      #expect(page.contains("1 day"))
      let several =
        #/[^0-9,.]1 (days|prints|hours|seconds|touches|guesses|passcodes|years|lockouts)\b/#
      #expect(page.firstMatch(of: several).map { String($0.output.0) } == nil)
      #expect(!page.contains("1 times"))
    }
  }

  @Test func severalPoliciesFollowEachOtherOrStandSideBySide() throws {
    let names = ["passcode", "biometrics"]
    let line = "policy report \(names.joined(separator: " ")) --days 1"
    let one = try run(line).output
    for name in names { #expect(one.contains("<h1>\(name)</h1>")) }
    let other = try run(line + " --compare").output
    #expect(other.contains("<h1>passcode, biometrics side by side</h1>"))
    for name in names {
      #expect(other.contains("<th scope=\"col\">\(name)</th>"))
      #expect(other.contains("<td data-policy=\"\(name)\">"))
    }
    #expect(other.contains("asks for no finger"))
  }

  @Test func aFileIsReplacedWholeAndNamed() throws {
    let scratch = Scratch()
    let path = scratch.path + "/page.html"
    for _ in 0..<2 {
      let run = try run("policy report passcode biometrics --compare --days 1 --out \(path)")
      #expect(run.status == 0)
      #expect(run.output.isEmpty)
      #expect(run.error == "authctl policy report: The report is in \(path).\n")
      #expect(try ProgramRun.bytes(of: path).starts(with: "<!DOCTYPE html>".utf8))
    }
    let object = try run(
      "--json policy report passcode biometrics --compare --days 1 --out \(path)"
    ).object
    #expect(object["file"]?.string == path)
    #expect(object["policies"]?.elements.compactMap(\.string) == ["passcode", "biometrics"])
    // SAFETY: the strings are C strings for the length of the calls.
    #expect(unsafe unlink(path) == 0)
    #expect(unsafe rmdir(scratch.path) == 0, "a draft is left")
  }

  /// As root, a device would be gone.
  @Test(arguments: [
    "policy report passcode --days 1 --out", "policy solve passcode --days 1 --prism",
  ])
  func whatIsNoRegularFileIsNotReplaced(_ words: String) throws {
    let scratch = Scratch()
    let path = scratch.path + "/pipe.prism"
    // SAFETY: the strings are C strings and the structure lives for the calls.
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let refused = try run("\(words) \(path)")
    #expect(refused.status == 2)
    #expect(refused.error.hasSuffix("\(path) cannot be written: it is no regular file.\n"))
    var status = stat()
    #expect(unsafe stat(path, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test(arguments: [
    ("", 2, "Name a policy; 'authctl policy list' has them."),
    ("device-owner --compare", 2, "Nothing is beside device-owner: "),
    ("device-owner device-owner", 2, "Each policy is named once."),
    ("a b c d e f g h i", 2, "A page has room for 8 policies."),
    ("device-owner --json", 2, "--json tells where the page is, so it needs --out FILE."),
    ("nowhere", 78, "nowhere"), ("device-owner --out /nowhere/page.html", 2, "cannot be written"),
    ("device-owner --logins 101", 2, "A chain is solved for at most 100 logins a day; "),
    ("device-owner --digits 6 --pins amitay", 2, "not in --pins amitay"),
  ])
  func whatCannotBeReportedIsRefusedInOneLine(
    _ words: String,
    _ status: Int32,
    _ why: String
  )
    throws
  {
    let refused = try run("policy report \(words)")
    #expect(refused.status == status, "\(refused.error)")
    let text = refused.error + refused.output
    #expect(text.contains(why), "\(text)")
    #expect(refused.error.split(separator: "\n").count <= 1)
  }

  @Test(.enabled(if: hasBrowser, "needs chromium, and Playwright in .build/python"))
  func aBrowserFindsNothingWrong() throws {
    let scratch = Scratch()
    let pages = [
      ("one", "device-owner --days 2"), ("two", "passcode work-laptop --days 1"),
      ("side", "device-owner work-laptop biometrics-and-passcode --compare --days 1"),
    ].map { ("\(scratch.path)/\($0).html", $1) }
    for (path, words) in pages {
      #expect(try run("policy report \(words) --out \(path)").status == 0)
    }
    let seen = try look(at: pages.map(\.0), scratch)
    #expect(seen.status == 0, "\(seen.output)\(seen.error)")
  }

  @Test(
    .enabled(if: hasBrowser, "needs chromium, and Playwright in .build/python"),
    arguments: [
      ("<p style='width: 2000px'>wide</p>", "sticks out"), ("<svg></svg>", "has no label"),
      ("<script>nowhere()</script>", "nowhere is not defined"), ("<li></li>", "an empty li"),
      ("<img src='other.png' aria-label='x'>", "asks for "),
      ("<p style='color: #999'>pale</p>", "has a contrast of"),
      ("<table><tr><td>cell</td></tr></table>", "has no heading"),
    ]
  )
  func aBrowserFindsWhatIsWrong(_ body: String, _ fault: String) throws {
    let scratch = Scratch()
    let style = "<style>body { background: #fff; color: #000 }</style>"
    let path = scratch.write("<!DOCTYPE html><html>\(style)<body>\(body)", to: "bad.html")
    let seen = try look(at: [path], scratch)
    #expect(seen.status == 1)
    #expect(seen.output.contains(fault), "\(seen.output)\(seen.error)")
  }
}

extension String {
  /// As it stands in a page.
  fileprivate var htmlText: String { HTML(self).markup }
}
