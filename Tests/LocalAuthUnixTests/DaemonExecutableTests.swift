import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct DaemonExecutableTests {
  private let scratch = ScratchDirectory()

  init() {
    scratch.makeDirectory("bin", mode: 0o755)
    scratch.write("#!/bin/sh\n", to: "bin/localauthd", mode: 0o755)
  }

  private func reason(_ name: String = "bin/localauthd") -> String? {
    do throws(LaunchError) {
      _ = try DaemonExecutable.find(among: [scratch.file(name)])
      return nil
    } catch {
      switch error {
      case .untrustedExecutable(_, let reason): return reason
      case .noExecutable: return "none"
      default: return "\(error)"
      }
    }
  }

  @Test func firstCandidateThatExistsIsTaken() throws {
    let candidates = ["absent", "bin/localauthd", "other"].map(scratch.file)
    #expect(try DaemonExecutable.find(among: candidates).path == scratch.file("bin/localauthd"))
  }

  @Test func linkStandsForItsTarget() throws {
    scratch.link("localauthd", to: scratch.file("bin/localauthd"))
    let found = try DaemonExecutable.find(among: [scratch.file("localauthd")])
    #expect(found.path == scratch.file("bin/localauthd"))
  }

  @Test func noneIsAnErrorThatNamesThePlaces() {
    let error = LaunchError.noExecutable(searched: ["/a", "/b"])
    #expect(reason("absent") == "none")
    #expect(error.description.contains("/a, /b"))
  }

  @Test(arguments: [0o775, 0o757, 0o777] as [mode_t])
  func programThatOthersCanWriteIsRefused(mode: mode_t) {
    scratch.setMode(mode, of: "bin/localauthd")
    #expect(reason()?.contains("chmod go-w") == true)
  }

  @Test(arguments: [0o775, 0o757, 0o1777] as [mode_t])
  func programInADirectoryThatOthersCanWriteIsRefused(mode: mode_t) {
    scratch.setMode(mode, of: "bin")
    #expect(reason()?.contains("chmod go-w") == true)
  }

  @Test func linkToAnUntrustedProgramIsRefused() {
    scratch.setMode(0o777, of: "bin/localauthd")
    scratch.link("localauthd", to: scratch.file("bin/localauthd"))
    #expect(reason("localauthd") != nil)
  }

  @Test func untrustedProgramIsNotPassedOver() {
    scratch.setMode(0o777, of: "bin/localauthd")
    scratch.makeDirectory("good", mode: 0o755)
    scratch.write("#!/bin/sh\n", to: "good/localauthd", mode: 0o755)
    #expect(throws: LaunchError.self) {
      try DaemonExecutable.find(
        among: ["bin/localauthd", "good/localauthd"].map(scratch.file)
      )
    }
  }

  @Test func directoryAndPlainFileAreRefused() {
    #expect(reason("bin") == "it is not a regular file")
    scratch.setMode(0o644, of: "bin/localauthd")
    #expect(reason() == "it cannot be executed")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a file away"))
  func somebodyElsesProgramIsRefused() {
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe chown(scratch.file("bin/localauthd"), 65534, 65534) == 0)
    #expect(reason() == "it belongs to user 65534")
  }

  // MARK: What names another place

  private func candidates(
    _ variables: [String: String] = [:],
    isPrivileged: Bool = false
  ) throws(LaunchError) -> [String] {
    try DaemonExecutable.candidates(
      in: ProcessEnvironment(variables: variables, isPrivileged: isPrivileged),
      installedBy: scratch.file("daemon")
    )
  }

  private func refusal(_ variables: [String: String] = [:]) -> String? {
    do throws(LaunchError) {
      _ = try candidates(variables)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func variableNamesTheOnlyPlace() throws {
    #expect(try candidates(["LOCALAUTH_DAEMON": "/opt/d"]) == ["/opt/d"])
    #expect(try candidates(["LOCALAUTH_DAEMON": ""]) == DaemonExecutable.standardCandidates)
    #expect(try candidates(["PATH": "/opt"]) == DaemonExecutable.standardCandidates)
  }

  @Test func programWithMoreRightsThanItsCallerReadsNoVariable() throws {
    let places = try candidates(["LOCALAUTH_DAEMON": "/opt/d"], isPrivileged: true)
    #expect(places == DaemonExecutable.standardCandidates)
  }

  @Test(arguments: ["localauthd", "./localauthd", "~/localauthd"])
  func variableWithARelativePathIsAnError(_ path: String) {
    #expect(refusal(["LOCALAUTH_DAEMON": path])?.contains("whole path") == true)
  }

  @Test func installationSaysWhereItPutTheDaemon() throws {
    for end in ["", "\n"] {
      scratch.write("/opt/libexec/localauth/localauthd" + end, to: "daemon", mode: 0o644)
      let places = try candidates()
      #expect(places.count == DaemonExecutable.standardCandidates.count + 1)
      #expect(places.dropLast(2).last == "/opt/libexec/localauth/localauthd")
    }
  }

  @Test(arguments: ["", "\n", "opt/localauthd\n", "/opt/a\n/opt/b\n", "/opt/a\n\n", "# /opt/a\n"])
  func fileThatSaysAnythingElseIsAnError(_ text: String) {
    scratch.write(text, to: "daemon", mode: 0o644)
    #expect(refusal()?.contains("whole path") == true)
  }

  @Test func longFileIsAnError() {
    scratch.write("/" + String(repeating: "a", count: 5000), to: "daemon", mode: 0o644)
    let text = refusal() ?? ""
    #expect(text.contains("whole path") && text.utf8.count < 400)
  }

  @Test(arguments: [0o664, 0o646] as [mode_t])
  func fileThatOthersCanWriteIsAnError(_ mode: mode_t) {
    scratch.write("/opt/localauthd\n", to: "daemon", mode: mode)
    #expect(refusal()?.contains("others can write") == true)
  }

  @Test func standardPlacesAreAbsoluteAndDoNotDependOnPATH() {
    let places = DaemonExecutable.standardCandidates
    #expect(places.allSatisfy { $0.hasPrefix("/") && $0.hasSuffix("/localauthd") })
    #expect(
      places.suffix(2) == [
        "/usr/local/libexec/localauth/localauthd", "/usr/libexec/localauth/localauthd",
      ]
    )
  }
}
