import Glibc
import LocalAuthCore
import LocalAuthService
import LocalAuthWire
import Testing

@testable import LocalAuthHost
@testable import LocalAuthUnix

/// Whose devices a call is about, and where it comes from.
@Suite struct CallGateTests {
  private static let everybody = Server.Audience.everybody(AdministrationSource(file: nil))
  private let loop: EventLoop
  private let connection: Connection

  init() throws {
    loop = try EventLoop()
    let pair = try SocketPair()
    let peer = try PeerIdentity(of: pair.ours.rawValue)
    connection = Connection(pair.takeOurs(), peer: peer, on: loop)
  }

  /// The caller as the handler of the call sees it.
  private func caller(
    _ uid: UInt32,
    naming user: Int64? = nil,
    from origin: String? = nil,
    _ audience: Server.Audience = everybody,
    logins: LoginRecords? = LoginRecords(in: "/nonexistent")
  ) throws -> Caller {
    let client = ClientConnection(
      connection,
      of: Caller(uid: uid, pid: getpid(), program: "test"),
      .refused("a test"),
      number: 1,
      looksAtProgram: false,
      logins: logins
    )
    let bytes = Array(#"{"method":"io.localauth.Devices.List"}"#.utf8)
    // SAFETY: the array outlives the call.
    let call = try unsafe bytes.withUnsafeBytes { try unsafe IncomingCall(frame: $0) }
    let responder = client.responder(for: call, streams: false)
    try CallGate(.owner, responder, audience).pass(user, from: origin)
    return responder.caller
  }

  private func refusal(_ body: () throws -> Caller) -> String? {
    do {
      _ = try body()
      return nil
    } catch WireError.notPermitted(let why) {
      return why
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: ["owner", "user:0", "user:1001", "host:", "host:192.0.2.1"])
  func rootSaysWhereARequestComesFrom(_ origin: String) throws {
    #expect(try caller(0, naming: 1000, from: origin).origin == Origin(origin))
    #expect(try caller(0, naming: 1000, from: origin).owner == 1000)
    #expect(try caller(0, from: origin).origin == Origin(origin))
  }

  @Test func nobodyElseSaysWhereARequestComesFrom() {
    for origin in ["owner", "host:", "user:1000"] {
      #expect(
        refusal { try caller(1000, from: origin) }
          == "Only root may say where a request comes from."
      )
      #expect(refusal { try caller(1000, naming: 1000, from: origin) } != nil)
      // A service of one user is told nothing, root's own included.
      for audience in [Server.Audience.user(0), .user(1000), .ownProcess] {
        #expect(
          refusal { try caller(0, from: origin, audience) }
            == "Only the system's service is told where a request comes from."
        )
      }
    }
  }

  @Test(arguments: ["", "Owner", "owner ", "user", "user:", "user:-1", "user:4294967295", "host"])
  func anOriginThatIsNoneIsAWrongParameter(_ text: String) {
    #expect(throws: WireError.invalidParameter("origin")) {
      try caller(0, naming: 1000, from: text)
    }
    #expect(throws: WireError.invalidParameter("origin")) { try caller(1000, from: text) }
  }

  @Test func rootWhoNamesAnotherIsAnotherUserUnlessItSaysOtherwise() throws {
    #expect(try caller(0, naming: 1000).origin == .user(0))
    #expect(try caller(0, naming: 0).origin == .user(0))
    #expect(try caller(0).origin == .user(0))
  }

  @Test func whoAsksForItselfIsWhereTheKernelSays() throws {
    // Here everybody's process is this one.
    #expect(try caller(1000).origin == .user(getuid()))
    #expect(try caller(1000, naming: 1000).origin == .user(getuid()))
    // All who are let in by a user's own service are that user.
    #expect(try caller(1000, .user(1000), logins: nil).origin == .owner)
  }

  @Test func onlyAProcessOfALoginAtASeatIsTheOwnerHere() throws {
    let pair = try SocketPair()
    let end = pair.theirs.rawValue
    // It has a login of its own where the kernel audits, and tells both numbers.
    let program = """
      echo \(getuid()) 2>/dev/null >/proc/self/loginuid
      cat /proc/self/sessionid; echo; exec sleep 60
      """
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", program],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.duplicate(of: end), .duplicate(of: end), .null]
      )
    )
    defer {
      child.killGroup()
      _ = try? child.waitForExit()
    }
    let ours = pair.takeOurs()
    var session = ""
    while !session.hasSuffix("\n") {
      var byte: UInt8 = 0
      // SAFETY: one byte of a variable that outlives the call.
      try #require(unsafe read(ours.rawValue, &byte, 1) == 1)
      session.unicodeScalars.append(Unicode.Scalar(byte))
    }
    let directory = "/tmp/localauth-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    // SAFETY: the strings are C strings for the calls.
    try #require(unsafe mkdir(directory, 0o700) == 0)
    defer {
      unsafe unlink(directory + "/1")
      unsafe rmdir(directory)
    }
    let logins = LoginRecords(in: directory)
    let peer = PeerIdentity(
      processID: child.processID,
      userID: geteuid(),
      groupID: getegid(),
      process: ProcessReference(lookingUp: child.processID)
    )
    let login = try PeerProgram(of: peer).auditLogin()
    let user = peer.userID
    #expect(Origin(of: user, in: login, by: logins) == .user(user))
    for (rest, origin) in [
      ("STATE=active\nREMOTE=0", Origin.owner), ("STATE=active\nREMOTE=1", .user(user)),
      ("STATE=online\nREMOTE=0", .user(user)),
    ] {
      let record = "UID=\(getuid())\nSEAT=seat0\n\(rest)\nAUDIT=\(session)"
      let file = unsafe open(directory + "/1", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      _ = unsafe write(file, record, record.utf8.count)
      close(file)
      guard session != "4294967295\n" else { continue }
      #expect(Origin(of: user, in: login, by: logins) == origin)
    }
  }
}
