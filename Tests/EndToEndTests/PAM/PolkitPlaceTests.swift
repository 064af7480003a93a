import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Where somebody is who asks polkit: its setuid helper is of their login, and the helper that a service manager
/// starts has a connection from them.
@Suite(
  .enabled(
    if: PAMModule.canDriveSuAndSudo && Files.exists("/usr/bin/python3"),
    "needs root, useradd, make, pamtester, unshare, python3 and a reachable build"
  )
)
struct PolkitPlaceTests {
  private static let (name, uid): (String, UInt32) = ("nobody", 65_534)
  private static let other = UInt32(1)
  private static let noLogin = [
    "/bin/sh", "-ec", "echo 4294967295 > /proc/self/loginuid; exec \"$@\"", "service",
  ]
  private let scratch = Scratch()
  private let logins: TestLogins
  private let module: ListenedModule
  private let listener: LocalSocket

  init() throws {
    logins = try TestLogins()
    module = try ListenedModule(logins)
    Files.setMode(0o755, of: scratch.path)
    listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    Files.setMode(0o666, of: scratch.file("socket"))
    listener.listen()
  }

  /// Policy and origin of what the module asks for in a conversation of polkit's.
  private func asked(
    _ words: [String],
    input: Input? = nil,
    _ items: [String] = ["ruser=\(name)"],
    _ arguments: String = ""
  ) throws -> [String?] {
    try scratch.write(
      PAMModule.stack(with: arguments).replacing("MODULE", with: module.module.path),
      to: "polkit-1",
      mode: 0o644
    )
    // A file for each service of PAM's, so that a mount over one needs a place there.
    let place = """
      mkdir -p \(scratch.file("pam.d")); cp \(scratch.file("polkit-1")) \(scratch.file("pam.d"))
      mount --bind \(scratch.file("pam.d")) /etc/pam.d; exec "$@"
      """
    let call = try module.asked(
      ["/usr/bin/unshare", "--mount", "/bin/sh", "-ec", place, "place"] + words,
      items,
      service: "polkit-1",
      for: Self.name,
      input: input?.descriptor
    )
    #expect(call["user"]?.integer == Int(Self.uid))
    return [call["policy"]?.string, call["origin"]?.string]
  }

  private static func running(as real: UInt32) -> [String] {
    ["/usr/bin/setpriv", "--ruid", "\(real)"]
  }

  /// What the helper has as its descriptor 0, and the process at the other end.
  private final class Input {
    let descriptor: Int32
    let program: RunningProgram?

    init(_ descriptor: Int32, from program: RunningProgram? = nil) {
      self.descriptor = descriptor
      self.program = program
    }

    deinit { close(descriptor) }
  }

  /// A connection from a process in a login.
  private func dialog(_ record: String?, as user: UInt32 = uid) throws -> Input {
    let connect = """
      import socket
      s = socket.socket(socket.AF_UNIX)
      s.connect("\(scratch.file("socket"))")
      s.recv(1)
      """
    let words =
      logins.login(Self.uid, record) + ["/usr/bin/setpriv"]
      + Machine.asOther(["/usr/bin/python3", "-c", connect], uid: user)
    let program = try RunningProgram(
      SpawnRequest(
        executable: words[0],
        arguments: Array(words.dropFirst()),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .null, .null]
      )
    )
    try #require(try Poll.wait(for: listener.descriptor, until: .after(.seconds(60))))
    return Input(accept(listener.descriptor, nil, nil), from: program)
  }

  private static let here: [String?] = ["device-owner", "owner"]
  private static let elsewhere: [String?] = ["passcode", "user:\(uid)"]
  private static let unknown: [String?] = ["passcode", "host:"]

  @Test func whoSitsHereIsAskedForTheFingerThroughTheSetuidHelper() throws {
    let words = logins.login(Self.uid) + Self.running(as: Self.uid)
    #expect(try asked(words) == Self.here)
    #expect(
      try asked(words, ["ruser=\(Self.name)", "rhost=192.0.2.1"]) == ["passcode", "host:192.0.2.1"]
    )
  }

  /// Unlike sudo's, a dialog of a session that is not in front is seen by nobody.
  @Test func everybodyElseIsAskedForThePasscodeThroughTheSetuidHelper() throws {
    for record in [
      TestLogins.remote, nil, "STATE=online\nREMOTE=0\nSEAT=seat0",
      "STATE=closing\nREMOTE=0\nSEAT=seat0", "STATE=active\nREMOTE=0\nTTY=pts/3",
      TestLogins.seat + "\nREMOTE=1", TestLogins.seat + "\nUID=7",
    ] {
      let words = logins.login(Self.uid, record) + Self.running(as: Self.uid)
      #expect(try asked(words) == Self.elsewhere, "\(record ?? "no record")")
    }
    #expect(try asked(Self.noLogin + Self.running(as: Self.uid)) == Self.elsewhere)
    #expect(try asked(Self.noLogin) == Self.unknown)
  }

  /// Whoever starts the setuid helper chooses its descriptors: one that leads to a program at the seat, as to
  /// the display's, says nothing.
  @Test func noDescriptorOfTheSetuidHelpersNamesSomebodyElse() throws {
    let seated = try dialog(TestLogins.seat)
    for words in [
      logins.login(Self.uid, TestLogins.remote) + Self.running(as: Self.uid),
      logins.login(Self.uid, nil) + Self.running(as: Self.uid),
      Self.noLogin + Self.running(as: Self.uid),
    ] {
      #expect(try asked(words, input: seated) == Self.elsewhere)
    }
    // Root in a login over ssh too is started by somebody.
    let root = try asked(logins.login(0, TestLogins.remote), input: seated)
    #expect(root == ["passcode", "user:0"])
  }

  @Test func whoSitsHereIsAskedForTheFingerThroughAConnection() throws {
    let seated = try dialog(TestLogins.seat)
    #expect(try asked(Self.noLogin, input: seated) == Self.here)
    // polkit names whom it asks for as the one who asks.
    #expect(try asked(Self.noLogin, input: seated, ["ruser=daemon"]) == Self.here)
    let another = try dialog(TestLogins.seat, as: Self.other)
    #expect(try asked(Self.noLogin, input: another) == ["device-owner", "user:1"])
  }

  @Test func everybodyElseIsAskedForThePasscodeThroughAConnection() throws {
    for record in [TestLogins.remote, nil, "STATE=online\nREMOTE=0\nSEAT=seat0"] {
      let elsewhere = try dialog(record)
      #expect(try asked(Self.noLogin, input: elsewhere) == Self.elsewhere)
    }
    let another = try dialog(TestLogins.remote, as: Self.other)
    #expect(try asked(Self.noLogin, input: another) == ["passcode", "user:1"])
  }

  @Test func connectionOfAProcessThatHasEndedIsFromElsewhere() throws {
    let gone = try dialog(TestLogins.seat)
    try gone.program?.end()
    #expect(try asked(Self.noLogin, input: gone)[0] == "passcode")
  }

  @Test func whatIsNoConnectionNamesNobody() throws {
    #expect(try asked(Self.noLogin) == Self.unknown)
    // SAFETY: the string is a C string for the length of the call.
    let file = Input(unsafe open("/etc/passwd", O_RDONLY | O_CLOEXEC))
    #expect(try asked(Self.noLogin, input: file) == Self.unknown)
    // The other end of one that listens is whoever made it listen, which is this test.
    #expect(try asked(Self.noLogin, input: Input(dup(listener.descriptor)))[0] == "passcode")
  }
}
