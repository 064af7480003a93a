import Glibc
import LocalAuthJSON
import Testing

@testable import authctl

/// `policy check` of files in which the daemon finds no mistake.
@Suite struct PolicyCheckTests {
  private static func policy(_ name: String, acr: String? = nil) -> String {
    let acr = acr.map { #", "acr": "\#($0)""# } ?? ""
    return #"{"name": "\#(name)", "summary": "s", "requirement": "passcode"\#(acr)}"#
  }

  private func check(
    _ file: String,
    _ options: [String] = [],
    config: String = "/nonexistent"
  ) throws -> ProgramRun {
    try ProgramRun.answered(
      options + ["policy", "check", file],
      answering: [#"{"parameters":{"valid":true,"description":"Asks for the passcode."}}"#],
      environment: ["XDG_CONFIG_HOME=\(config)"]
    ).run
  }

  @Test func aFileOfAnotherNameIsSaidToCountUnderItsOwn() throws {
    let scratch = Scratch()
    let other = try check(scratch.write(Self.policy("mine"), to: "draft.json"))
    #expect(other.status == 0, "\(other.error)")
    #expect(other.output.hasSuffix("\nIt counts only as mine.json.\n"), "\(other.output)")
    let own = try check(scratch.write(Self.policy("mine"), to: "mine.json"))
    #expect(own.output.contains("It counts once it lies in /etc/localauth/policies/policy"))
    #expect(!own.output.contains("It counts only as"), "\(own.output)")
  }

  @Test func anACROfTheMachineIsSaidToBeNobodysOwn() throws {
    let scratch = Scratch()
    let file = scratch.write(
      Self.policy("mine", acr: "urn:localauth:acr:passcode"),
      to: "mine.json"
    )
    let run = try check(file)
    #expect(run.status == 0, "\(run.error)")
    #expect(
      run.output.contains(
        "It cannot count as one of your own: \"acr\" cannot be \"urn:localauth:acr:passcode\"; "
      ),
      "\(run.output)"
    )
    let remarks = try check(file, ["--json"]).object["remarks"]?.elements ?? []
    #expect(remarks.count == 1)
  }

  @Test(arguments: [
    (
      "mine.json", policy("other"),
      "\"name\" cannot be \"other\"; allowed: mine, as the file is called"
    ),
    ("mine", policy("mine"), "this file is not read; allowed: policy/NAME.json"),
    (
      "mine.json", policy("mine", acr: "urn:localauth:acr:passcode"),
      "\"acr\" cannot be \"urn:localauth:acr:passcode\"; allowed: urn:localauth:acr:user"
    ),
  ])
  func whatWouldNotCountWhereItLiesIsRefused(
    _ name: String,
    _ text: String,
    _ why: String
  ) throws {
    let scratch = Scratch()
    let config = try scratch.configured(text, as: "policy/\(name)")
    let file = "\(config)/localauth/policies/policy/\(name)"
    let run = try check(file, config: config)
    #expect(run.status == 78 && run.output.isEmpty, "\(run.output)")
    #expect(run.error.contains(file) && run.error.contains(why), "\(run.error)")
    // The system reads no user's files.
    let elsewhere = try check(file)
    #expect(elsewhere.status == 0, "\(elsewhere.error)")
  }

  /// As from within the folder itself, or through a link to it.
  @Test(arguments: ["sensor/./mine.json", "link/mine.json"])
  func theRealFolderNamesTheKindIfTheTypedOneNamesNone(_ name: String) throws {
    let scratch = Scratch()
    let config = try scratch.configured("{}", as: "sensor/mine.json")
    let folder = "\(config)/localauth/policies"
    // SAFETY: the strings are C strings for the length of the call.
    try #require(unsafe symlink("\(folder)/sensor", "\(folder)/link") == 0)
    let (_, requests) = try ProgramRun.answered(
      ["policy", "check", "\(folder)/\(name)"],
      answering: [#"{"parameters":{"valid":true,"description":"A sensor profile."}}"#]
    )
    let request = try JSONValue(parsing: Array(try #require(requests.last).utf8).span)
    let file = try #require(request["parameters"]?["file"]?.string)
    #expect(file.hasSuffix("/localauth/policies/sensor/mine.json"), "\(file)")
  }

  @Test func theFolderThatWasTypedNamesTheKindIfItNamesOne() throws {
    let scratch = Scratch()
    let config = try scratch.configured("{}", as: "sensor/mine.json")
    let folder = "\(config)/localauth/policies"
    // SAFETY: the strings are C strings for the length of the call.
    try #require(unsafe symlink("\(folder)/sensor", "\(folder)/lockout") == 0)
    let (_, requests) = try ProgramRun.answered(
      ["policy", "check", "\(folder)/lockout/mine.json"],
      answering: [#"{"parameters":{"valid":true,"description":"A lockout profile."}}"#]
    )
    #expect(requests.last?.contains("/lockout/mine.json") == true, "\(requests)")
  }

  @Test func whatCountsWhereItLiesNeedsNothing() throws {
    let scratch = Scratch()
    let config = try scratch.configured(Self.policy("mine"), as: "policy/mine.json")
    let run = try check("\(config)/localauth/policies/policy/mine.json", config: config)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.hasSuffix("is valid.\n\nAsks for the passcode.\n"), "\(run.output)")
  }
}
