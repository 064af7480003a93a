import Glibc
import LocalAuthKeychain
import Testing

@testable import LocalAuthHost
@testable import LocalAuthUnix

@Suite struct EntitlementsTests {
  /// A directory of a test's own for files of rules.
  private final class Files {
    let directory: String

    init() {
      var template = Array("/tmp/localauth-test-XXXXXX".utf8CString)
      // SAFETY: the array is a C string that mkdtemp overwrites in place.
      _ = unsafe mkdtemp(&template)
      directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      let request = SpawnRequest(executable: "/bin/rm", arguments: ["-rf", "--", directory])
      if var child = try? ChildProcess.spawn(request) { _ = try? child.waitForExit() }
    }

    func write(_ rules: String, to name: String = "rules", mode: mode_t = 0o600) -> String {
      let path = "\(directory)/\(name)"
      let bytes = Array("{\"rules\": [\(rules)]}".utf8)
      // SAFETY: the path is a C string for the call, and the bytes are the array's own.
      let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
      _ = unsafe Glibc.write(file, bytes, bytes.count)
      _ = fchmod(file, mode)
      close(file)
      return path
    }
  }

  /// A program of the system's, held as a peer's is.
  private struct Sleeper: ~Copyable {
    var child: ChildProcess

    init() throws {
      let request = SpawnRequest(executable: "/bin/sleep", arguments: ["1000"])
      child = try ChildProcess.spawn(request)
    }

    func peer(userID: UInt32 = geteuid()) -> PeerIdentity {
      PeerIdentity(
        processID: child.processID,
        userID: userID,
        groupID: getegid(),
        process: ProcessReference(lookingUp: child.processID)
      )
    }

    mutating func end() throws {
      child.killGroup()
      _ = try child.waitForExit()
    }
  }

  private static let sleep: String = {
    // SAFETY: realpath allocates the C string, which is copied and freed here.
    guard let resolved = unsafe realpath("/bin/sleep", nil) else { return "/usr/bin/sleep" }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }()

  private func rule(_ name: String, _ conditions: String = "") -> String {
    "{\(conditions)\"applicationIdentifier\": \"\(name)\", \"groups\": [\"shared\"]}"
  }

  /// The identifier that the rules give, or why there is none.
  private func identifier(_ entitlement: CallerEntitlement) -> String {
    #expect((entitlement.applicationIdentifier == nil) == entitlement.accessGroups.names.isEmpty)
    #expect((entitlement.applicationIdentifier == nil) == (entitlement.refusal != nil))
    return entitlement.applicationIdentifier ?? entitlement.refusal ?? ""
  }

  @Test func withoutAFileEveryProgramIsLocal() throws {
    let files = Files()
    let sleeper = try Sleeper()
    for source in [
      EntitlementsSource(systemFile: nil, userFile: nil),
      EntitlementsSource(
        systemFile: files.directory + "/none",
        userFile: files.directory + "/neither",
        isForEverybody: true
      ),
    ] {
      let found = source.entitlement(of: sleeper.peer().withoutProcess)
      #expect(found.applicationIdentifier == "local")
      #expect(found.accessGroups.names == ["local"])
      #expect(source.failure == nil)
    }
  }

  @Test func theAdministratorsRulesComeFirst() throws {
    let files = Files()
    let sleeper = try Sleeper()
    let peer = sleeper.peer()
    let other = sleeper.peer(userID: 4_000_000).withoutProcess
    let system = files.write(rule("system", "\"uid\": \(peer.userID), "), to: "system")
    let user = files.write(rule("user"), to: "user")
    let both = EntitlementsSource(systemFile: system, userFile: user)
    #expect(identifier(both.entitlement(of: peer)) == "system")
    #expect(identifier(both.entitlement(of: other)) == "user")
    #expect(both.entitlement(of: peer).accessGroups.names == ["shared", "system"])
    let alone = EntitlementsSource(systemFile: system, userFile: nil)
    #expect(
      identifier(alone.entitlement(of: other)) == "no rule in the entitlements matches the caller"
    )
  }

  @Test func aProgramIsKnownByItsFile() throws {
    let files = Files()
    let sleeper = try Sleeper()
    let rules = rule("sleep", "\"executable\": \"\(Self.sleep)\", ") + ", " + rule("rest")
    let path = files.write(rules)
    let source = EntitlementsSource(systemFile: path, userFile: nil)
    #expect(source.warnings == [])
    #expect(identifier(source.entitlement(of: sleeper.peer())) == "sleep")
    let cat = files.write(rule("cat", "\"executable\": \"/usr/bin/env\", ") + ", " + rule("rest"))
    let another = EntitlementsSource(systemFile: cat, userFile: nil)
    #expect(identifier(another.entitlement(of: sleeper.peer())) == "rest")
  }

  @Test func everybodysDaemonKnowsNoExecutables() throws {
    let files = Files()
    let sleeper = try Sleeper()
    let path = files.write(
      rule("sleep", "\"executable\": \"\(Self.sleep)\", ") + ", " + rule("rest")
    )
    let source = EntitlementsSource(systemFile: path, userFile: nil, isForEverybody: true)
    #expect(identifier(source.entitlement(of: sleeper.peer())) == "rest")
    #expect(source.warnings == [])
  }

  @Test func aFileThatOthersCouldReplaceGivesNobodyAGroup() throws {
    let files = Files()
    let sleeper = try Sleeper()
    let program = files.write("", to: "program", mode: 0o755)
    let path = files.write(rule("p", "\"executable\": \"\(program)\", ") + ", " + rule("rest"))
    let source = EntitlementsSource(systemFile: path, userFile: nil)
    let advice = "others than root can write to /tmp; run chmod go-w on it"
    #expect(identifier(source.entitlement(of: sleeper.peer())) == advice)
    #expect(source.warnings == [advice])
  }

  @Test func aFileThatIsNotThereMatchesNobody() throws {
    let files = Files()
    let sleeper = try Sleeper()
    let path = files.write(
      rule("gone", "\"executable\": \"/usr/bin/localauth-none\", ") + ", " + rule("rest")
    )
    let source = EntitlementsSource(systemFile: path, userFile: nil)
    #expect(identifier(source.entitlement(of: sleeper.peer())) == "rest")
    #expect(source.warnings == ["/usr/bin/localauth-none is not there"])
  }

  @Test func aProgramIsKnownByItsControlGroup() throws {
    let files = Files()
    let sleeper = try Sleeper()
    let peer = sleeper.peer()
    let group = try PeerProgram(of: peer).controlGroup()
    let path = files.write(rule("group", "\"cgroup\": \"\(group)\", ") + ", " + rule("rest"))
    for isForEverybody in [false, true] {
      let source = EntitlementsSource(
        systemFile: path,
        userFile: nil,
        isForEverybody: isForEverybody
      )
      #expect(identifier(source.entitlement(of: peer)) == "group")
    }
    let other = files.write(rule("unit", "\"unit\": \"x.service\", ") + ", " + rule("rest"))
    let source = EntitlementsSource(systemFile: other, userFile: nil)
    #expect(identifier(source.entitlement(of: peer)) == "rest")
  }

  @Test func whoHasEndedHasNoGroups() throws {
    let files = Files()
    let kinds = [
      "\"cgroup\": \"/\", ", "\"unit\": \"a.service\", ", "\"executable\": \"\(Self.sleep)\", ",
    ]
    for kind in kinds {
      var sleeper = try Sleeper()
      let peer = sleeper.peer()
      try sleeper.end()
      let source = EntitlementsSource(
        systemFile: files.write(rule("a", kind) + ", " + rule("rest")),
        userFile: nil
      )
      #expect(identifier(source.entitlement(of: peer)) == "the caller's process has ended")
      let unseen = source.entitlement(of: peer.withoutProcess)
      #expect(identifier(unseen) == "the caller's process cannot be seen")
    }
  }

  @Test func aFileWithAMistakeGivesNobodyAGroup() throws {
    let files = Files()
    let sleeper = try Sleeper()
    let good = files.write(rule("good"), to: "good")
    let bad = files.write("{}", to: "bad")
    let open = files.write(rule("open"), to: "open", mode: 0o666)
    // SAFETY: the path is a C string for the calls.
    let shared = "\(files.directory)/shared"
    _ = unsafe mkdir(shared, 0o700)
    let replaceable = files.write(rule("good"), to: "shared/rules")
    _ = unsafe chmod(shared, 0o777)
    let cases: [(String?, String?, String)] = [
      (good, bad, "\(bad):1:12: the key \"applicationIdentifier\" is missing; it is required here"),
      (bad, good, "\(bad):1:12: the key \"applicationIdentifier\" is missing; it is required here"),
      (open, nil, "\(open): cannot be read: others can write to \(open); run chmod go-w on it"),
      (
        replaceable, nil,
        "\(replaceable): cannot be read: others can write to \(shared); run chmod go-w on it"
      ),
      (
        files.directory, nil,
        "\(files.directory): cannot be read: \(files.directory) is not a regular file"
      ),
    ]
    for (system, user, message) in cases {
      let source = EntitlementsSource(systemFile: system, userFile: user)
      let line = message + "; until it is mended no program has an access group"
      #expect(source.failure == line)
      #expect(identifier(source.entitlement(of: sleeper.peer())) == line)
      #expect(source.warnings == [])
    }
  }
}
