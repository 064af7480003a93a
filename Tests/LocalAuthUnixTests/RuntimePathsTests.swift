import LocalAuthUnix
import Testing

@Suite struct RuntimePathsTests {
  private func environment(
    _ variables: [String: String],
    privileged: Bool = false,
    userHome: String? = "/home/passwd"
  ) -> ProcessEnvironment {
    ProcessEnvironment(
      variables: variables,
      isPrivileged: privileged,
      userHome: userHome,
      workingDirectory: "/cwd"
    )
  }

  @Test func standardPlacesFollowXDG() throws {
    let paths = try RuntimePaths(
      environment: environment([
        "HOME": "/home/u", "XDG_STATE_HOME": "/state", "XDG_RUNTIME_DIR": "/run/user/7",
      ])
    )
    #expect(paths.home == "/state/localauth")
    #expect(paths.socket == "/run/user/7/localauth/socket")
    #expect(paths.socketDirectory == "/run/user/7/localauth")
  }

  @Test func withoutXDGBothAreBelowTheHomeDirectory() throws {
    let paths = try RuntimePaths(environment: environment(["HOME": "/home/u/"]))
    #expect(paths.home == "/home/u/.local/state/localauth")
    #expect(paths.socket == "/home/u/.local/state/localauth/socket")
  }

  @Test func withoutHOMEThePasswdFileIsAsked() throws {
    let paths = try RuntimePaths(environment: environment([:]))
    #expect(paths.home == "/home/passwd/.local/state/localauth")
  }

  @Test func relativeAndEmptyXDGVariablesCountAsUnset() throws {
    let paths = try RuntimePaths(
      environment: environment([
        "HOME": "/home/u", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "",
      ])
    )
    #expect(paths.home == "/home/u/.local/state/localauth")
    #expect(paths.socket == "/home/u/.local/state/localauth/socket")
  }

  @Test func variablesChooseAndAreRememberedAsTheirChoice() throws {
    let home = try RuntimePaths(
      environment: environment(["LOCALAUTH_HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/7"])
    )
    #expect(home.home == "/h")
    #expect(home.socket == "/h/socket")
    #expect(home.homeOrigin == .environment)
    #expect(home.socketOrigin == .environment)

    let socket = try RuntimePaths(
      environment: environment(["LOCALAUTH_SOCKET": "/s", "HOME": "/home/u"])
    )
    #expect(socket.socket == "/s")
    #expect(socket.homeOrigin == .standard)
    #expect(socket.socketOrigin == .environment)
  }

  @Test func argumentsWinOverVariables() throws {
    let variables = ["LOCALAUTH_HOME": "/h", "LOCALAUTH_SOCKET": "/s"]
    let both = try RuntimePaths(
      home: "/a",
      socket: "/b",
      environment: environment(variables)
    )
    #expect(both.home == "/a")
    #expect(both.socket == "/b")
  }

  @Test func variableCannotSendANamedHomeToAnotherSocket() throws {
    let paths = try RuntimePaths(
      home: "/a",
      environment: environment(["LOCALAUTH_SOCKET": "/elsewhere"])
    )
    #expect(paths.socket == "/a/socket")
    #expect(paths.socketOrigin == .argument)
  }

  @Test func namedSocketLeavesTheHomeToTheEnvironment() throws {
    let paths = try RuntimePaths(
      socket: "/b",
      environment: environment(["LOCALAUTH_HOME": "/h"])
    )
    #expect(paths.home == "/h")
  }

  @Test func privilegedProgramBelievesNoVariable() throws {
    let paths = try RuntimePaths(
      environment: environment(
        [
          "LOCALAUTH_HOME": "/h", "LOCALAUTH_SOCKET": "/s", "HOME": "/evil",
          "XDG_STATE_HOME": "/evil", "XDG_RUNTIME_DIR": "/evil",
        ],
        privileged: true
      )
    )
    #expect(paths.home == "/home/passwd/.local/state/localauth")
    #expect(paths.socket == "/home/passwd/.local/state/localauth/socket")
  }

  @Test func privilegedProgramIsNotStoppedByAVariableItIgnores() throws {
    _ = try RuntimePaths(
      environment: environment(["LOCALAUTH_HOME": "relative"], privileged: true)
    )
  }

  @Test func relativeArgumentsStartAtTheCurrentDirectory() throws {
    let paths = try RuntimePaths(home: "x/", socket: "./s", environment: environment([:]))
    #expect(paths.home == "/cwd/x")
    #expect(paths.socket == "/cwd/./s")
  }

  @Test func trailingSlashesAreDropped() throws {
    let paths = try RuntimePaths(home: "/a//", environment: environment([:]))
    #expect(paths.home == "/a")
    #expect(paths.socket == "/a/socket")
  }

  @Test func longestSocketPathFitsAndOneByteMoreIsRefused() throws {
    let longest = "/" + String(repeating: "s", count: RuntimePaths.longestSocketPath - 1)
    #expect(try RuntimePaths(socket: longest, environment: environment([:])).socket == longest)
    #expect(throws: RuntimePathsError.socketPathTooLong(path: longest + "s")) {
      try RuntimePaths(socket: longest + "s", environment: environment([:]))
    }
  }

  @Test func socketPathLengthCountsBytesNotCharacters() {
    let path = "/" + String(repeating: "ä", count: 60)
    #expect(throws: RuntimePathsError.socketPathTooLong(path: path)) {
      try RuntimePaths(socket: path, environment: environment([:]))
    }
  }

  @Test func unusablePathsAreRefused() {
    #expect(throws: RuntimePathsError.emptyPath(option: "--home")) {
      try RuntimePaths(home: "", environment: environment([:]))
    }
    #expect(throws: RuntimePathsError.relativeVariable(name: "LOCALAUTH_HOME", path: "h")) {
      try RuntimePaths(environment: environment(["LOCALAUTH_HOME": "h"]))
    }
    #expect(throws: RuntimePathsError.noHomeDirectory) {
      try RuntimePaths(environment: environment([:], userHome: nil))
    }
    #expect(throws: RuntimePathsError.noCurrentDirectory(path: "x")) {
      try RuntimePaths(home: "x", environment: ProcessEnvironment(variables: [:]))
    }
  }

  @Test func eachRefusalSaysWhatToDo() {
    let refusals: [(RuntimePathsError, String)] = [
      (.emptyPath(option: "--socket"), "leave the option out"),
      (.noCurrentDirectory(path: "x"), "absolute"),
      (.relativeVariable(name: "LOCALAUTH_SOCKET", path: "s"), "unset"),
      (.noHomeDirectory, "--home"),
      (.socketPathTooLong(path: "/s"), "--socket"),
    ]
    for (refusal, advice) in refusals { #expect(refusal.description.contains(advice)) }
  }

  @Test func currentEnvironmentKnowsAHomeDirectory() throws {
    // The tests' own variables may name other places, but there is always an answer.
    #expect(try RuntimePaths(home: "/h").socket == "/h/socket")
    #expect(!ProcessEnvironment.current.isPrivileged)
    #expect(ProcessEnvironment.current["PATH"] != nil)
  }
}
