import Testing

@testable import authctl

@Suite struct UsageErrorTests {
  @Test func saysWhatToDo() {
    #expect(
      Sample.error("evalute")?.description
        == "authctl: unknown verb; did you mean 'evaluate'?"
    )
    #expect(
      Sample.error("device", "xx")?.description
        == "authctl device: unknown verb; use create or list"
    )
    #expect(Sample.error("device")?.description == "authctl device: name a verb: create or list")
    #expect(
      Sample.error("evaluate", "--frob")?.description
        == "authctl evaluate: unknown option '--frob'; see 'authctl evaluate --help'"
    )
    #expect(
      Sample.error("evaluate", "--reason=r")?.description
        == "authctl evaluate: '--policy NAME' is missing; see 'authctl evaluate --help'"
    )
    #expect(
      Sample.error("--policy=x")?.description
        == "authctl: '--policy' belongs to a verb; write it after the verb, as in "
        + "'authctl evaluate --policy'"
    )
    #expect(
      Sample.error("completion", "fihs")?.description
        == "authctl completion: unknown value of SHELL; did you mean 'fish'? "
        + "(allowed: bash, zsh or fish)"
    )
    #expect(
      Sample.error("evaluate", "--timeout=x")?.description
        == "authctl evaluate: the value of '--timeout' is not understood; "
        + "give a duration such as 30, 30s, 5m or 48h"
    )
    #expect(
      Sample.error("check", "a", "b")?.description
        == "authctl check: too many arguments; give at most 1, and quote one that has blanks in it"
    )
    #expect(
      Sample.error("evaluate", "--policy", "x", "y")?.description
        == "authctl evaluate: this verb takes options alone; see 'authctl evaluate --help'"
    )
  }

  @Test func neverRepeatsAWordThatMayBeASecret() {
    let errors = [
      Sample.error("device", "list", "hunter2"),
      Sample.error("check", "policy.json", "hunter2"),
      Sample.error("device", "list", "--passcode=hunter2"),
      Sample.error("device", "create", "x", "--passcode-fd=hunter2"),
      Sample.error("device", "create", "x", "--passcode-stdin=hunter2"),
      Sample.error("device", "create", "x", "--passcode-fd", "hunter2"),
      Sample.error("evaluate", "--timeout", "hunter2"),
      Sample.error("device", "list", "-phunter2"),
      Sample.error("hunter2"),
      Sample.error("device", "hunter2"),
      Sample.error("completion", "hunter2"),
      Sample.error("evaluate", "--policy", "x", "--", "hunter2"),
    ]
    for error in errors {
      #expect(error.map { !$0.description.contains("hunter2") } == true)
      // What is not kept cannot reach a log either.
      #expect(error.map { !"\($0.problem)".contains("hunter2") } == true)
    }
  }

  @Test func staysOnOneLineOfPrintableText() {
    let hostile = "a\nb\u{1B}[2J\r\u{9B}31m\u{202E}\u{2028}c"
    let error = Sample.error(hostile)
    #expect(
      error?.description
        == "authctl: unknown verb; use evaluate, device, check, replay or completion"
    )
    #expect(
      Sample.error("evaluate", "--" + hostile)?.description
        == "authctl evaluate: unknown option '--a?b?[2J??31m??c'; see 'authctl evaluate --help'"
    )
  }

  @Test func shortensLongWords() {
    let error = Sample.error("--" + String(repeating: "x", count: 10_000))
    #expect(error.map { $0.description.utf8.count < 200 } == true)
  }
}
