import Glibc
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthTestSupport
import Testing

/// Each change of the files below a directory of policies is taken up by the next look at them.
@Suite struct PolicySourceTests {
  private let scratch = ScratchDirectory()

  private func source() -> PolicySource {
    PolicySource(system: scratch.file("system"), user: scratch.file("user"))
  }

  private func makeFolders() {
    for name in ["system", "system/policy", "system/lockout", "user", "user/policy"] {
      scratch.makeDirectory(name)
    }
  }

  private func write(_ summary: String, to name: String = "user/policy/mine.json") {
    scratch.write(
      "{\"name\": \"mine\", \"summary\": \"\(summary).\", \"requirement\": \"biometry\"}",
      to: name
    )
  }

  private func summary(_ source: PolicySource, _ name: String = "user/mine") -> String? {
    try? source.catalog.policy(named: name).get().summary
  }

  @Test func directoriesThatAreMissingAreReadOnceTheyAreThere() {
    let source = source()
    #expect(!source.refresh())
    #expect(summary(source) == nil)
    makeFolders()
    write("One")
    #expect(source.refresh())
    #expect(summary(source) == "One.")
  }

  @Test func fileBesideTheFoldersIsReported() {
    scratch.makeDirectory("user")
    let source = source()
    write("One", to: "user/mine.json")
    #expect(source.refresh())
    #expect(source.catalog.problems.map(\.file) == [scratch.file("user/mine.json")])
    makeFolders()
    write("One")
    #expect(source.refresh() && summary(source) == "One.")
    #expect(source.catalog.problems.count == 1)
  }

  @Test func fileThatIsAddedChangedOrRemovedIsTakenUp() {
    makeFolders()
    let source = source()
    write("One")
    #expect(source.refresh() && summary(source) == "One.")
    // Of the same size, and at once after: only the time that has not passed tells.
    for text in ["Two", "Six", "Ten"] {
      write(text)
      #expect(source.refresh() && summary(source) == "\(text).")
    }
    write("New", to: "user/policy/.draft")
    let (draft, mine) = (scratch.file("user/policy/.draft"), scratch.file("user/policy/mine.json"))
    #expect(unsafe rename(draft, mine) == 0)
    #expect(source.refresh() && summary(source) == "New.")
    #expect(unsafe unlink(scratch.file("user/policy/mine.json")) == 0)
    #expect(source.refresh() && summary(source) == nil)
  }

  @Test func administratorsFileReplacesAndGivesBackWhatIsShipped() {
    makeFolders()
    let source = source()
    let shipped = summary(source, "biometrics")
    scratch.write(
      "{\"name\": \"biometrics\", \"summary\": \"Ours.\", \"requirement\": \"passcode\"}",
      to: "system/policy/biometrics.json"
    )
    #expect(source.refresh() && summary(source, "biometrics") == "Ours.")
    #expect(unsafe unlink(scratch.file("system/policy/biometrics.json")) == 0)
    #expect(source.refresh() && summary(source, "biometrics") == shipped)
  }

  @Test func mistakeDisablesItsNameAndAMendedFileBringsItBack() {
    makeFolders()
    write("One")
    let source = source()
    scratch.write("{", to: "user/policy/mine.json")
    #expect(source.refresh() && summary(source) == nil)
    #expect(source.catalog.problems.count == 1)
    write("Two")
    #expect(source.refresh() && summary(source) == "Two.")
    #expect(source.catalog.problems.isEmpty)
  }

  /// Whoever can write to the directory decides what its policies say: a mode that lets others is a
  /// change like any other.
  @Test func directoryThatOthersCanWriteToIsNotUsedFromThenOn() {
    makeFolders()
    write("One")
    let source = source()
    #expect(summary(source) == "One.")
    scratch.setMode(0o777, of: "user/policy")
    #expect(source.refresh() && summary(source) == nil)
    scratch.setMode(0o700, of: "user/policy")
    #expect(source.refresh() && summary(source) == "One.")
  }

  /// No stamp of the directory itself tells that what is above it was mended.
  @Test func directoryThatCouldNotBeReadIsOnceWhatIsAboveItIsMended() {
    makeFolders()
    write("One")
    scratch.setMode(0o777, of: ".")
    let source = source()
    #expect(summary(source) == nil)
    scratch.setMode(0o700, of: ".")
    #expect(source.refresh() && summary(source) == "One.")
  }

  @Test func linkToAnotherDirectoryIsTakenUp() {
    makeFolders()
    write("One")
    scratch.makeDirectory("other")
    scratch.makeDirectory("other/policy")
    write("Two", to: "other/policy/mine.json")
    scratch.link("link", to: scratch.file("user"))
    let source = PolicySource(system: nil, user: scratch.file("link"))
    #expect(summary(source) == "One.")
    #expect(unsafe unlink(scratch.file("link")) == 0)
    scratch.link("link", to: scratch.file("other"))
    #expect(source.refresh() && summary(source) == "Two.")
  }

  @Test func everythingIsReadAgainWhenAsked() {
    makeFolders()
    write("One")
    let source = source()
    source.read()
    #expect(summary(source) == "One.")
  }
}
