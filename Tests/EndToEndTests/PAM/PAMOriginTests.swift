import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Where somebody is who authenticates, by what no program can change about itself: which policy the
/// module asks for, and what it says of where the request comes from.
@Suite(
  .enabled(if: PAMModule.canRun, "needs root, useradd, make, pamtester and a reachable build")
)
struct PAMOriginTests {
  /// Whom the tests authenticate, and another user; any two of the machine's will do.
  private static let (name, uid): (String, UInt32) = ("nobody", 65_534)
  private static let other = ("daemon", UInt32(1))
  private let logins: TestLogins
  private let module: ListenedModule

  init() throws {
    logins = try TestLogins()
    module = try ListenedModule(logins)
  }

  /// What the module asks for, where pamtester runs behind these words.
  private func asked(
    _ words: [String],
    _ items: [String] = ["tty=tty2"],
    _ arguments: String = ""
  ) throws -> JSONValue {
    let service = try module.module.service(with: arguments)
    return try module.asked(words, items, service: service, for: Self.name)
  }

  private func origin(_ words: [String], _ items: [String] = ["tty=tty2"]) throws -> String? {
    let call = try asked(words, items)
    #expect(call["user"]?.integer == Int(Self.uid))
    return call["origin"]?.string
  }

  private static func running(as real: UInt32) -> [String] {
    ["/usr/bin/setpriv", "--ruid", "\(real)"]
  }

  // MARK: Who is at this machine

  @Test func somebodyAtASeatIsAskedForTheFingerToo() throws {
    let call = try asked(logins.login(Self.uid) + Self.running(as: Self.uid))
    #expect(call["policy"]?.string == "device-owner")
    #expect(call["origin"]?.string == "owner")
  }

  /// A process can leave the control group of its session, which was believed; not the session of audit.
  @Test func whoCameFromElsewhereStaysElsewhere() throws {
    let moved = #"""
      group=/sys/fs/cgroup/la-test-$$; mkdir $group 2>/dev/null && echo $$ > $group/cgroup.procs
      "$@"; status=$?
      echo $$ > /sys/fs/cgroup/cgroup.procs; rmdir $group
      exit $status
      """#
    let escape = ["/bin/sh", "-c", moved, "moved"]
    let call = try asked(logins.login(Self.uid, TestLogins.remote) + escape)
    #expect(call["policy"]?.string == "passcode")
    #expect(call["origin"]?.string == "host:")
  }

  @Test func whateverIsUnclearIsElsewhere() throws {
    let seat = TestLogins.seat
    for record in [
      nil, "STATE=online\nREMOTE=0\nSEAT=seat0",
      "STATE=closing\nREMOTE=0\nSEAT=seat0", "STATE=active\nREMOTE=0\nTTY=pts/3",
      "STATE=active\nREMOTE=0\nSEAT=", "STATE=active\nSEAT=seat0", seat + "\nREMOTE=1",
      seat + "\nUID=7", seat + "\nAUDIT=7", "REMOTE=0",
    ] {
      let call = try asked(logins.login(Self.uid, record))
      #expect(call["policy"]?.string == "passcode", "\(record ?? "no record")")
      #expect(call["origin"]?.string == "host:", "\(record ?? "no record")")
    }
    // Without a login.
    #expect(try asked(Self.running(as: Self.uid))["policy"]?.string == "passcode")
    #expect(try asked(["/usr/bin/env"])["policy"]?.string == "passcode")
  }

  @Test func recordsThatAreNotRootsAloneMakeItUnclear() throws {
    // Each is done to a directory in which this login has a record at a seat.
    for change in [
      "chown 1 $0/c*", "chmod g+w $0/c*", "cp $0/c* $0/second", "mkfifo $0/c0",
      "mv $0/c* $0.moved && ln -s $0.moved $0/c1", "mkdir $0/c0", "head -c 20000 /dev/zero > $0/c0",
    ] {
      let words = ["/bin/sh", "-c", "\(change) && exec \"$@\"", logins.directory]
      let call = try asked(logins.login(Self.uid) + words)
      #expect(call["policy"]?.string == "passcode", "\(change)")
      let clean = ["-c", "rm -rf $0/* $0.moved", logins.directory]
      _ = try RunningProgram.run("/bin/sh", clean)
    }
    #expect(try asked(logins.login(Self.uid))["policy"]?.string == "device-owner")
    // The pipe of a session, and a record that is being written, are none.
    let words = ["/bin/sh", "-c", "mkfifo $0/1.ref $0/.#1 && exec \"$@\"", logins.directory]
    #expect(try asked(logins.login(Self.uid) + words)["policy"]?.string == "device-owner")
  }

  @Test func applicationsCanOnlySaySomebodyIsElsewhere() throws {
    for items in [["tty=tty2", "rhost=192.0.2.1"], ["tty=ssh"], []] {
      #expect(try asked(logins.login(Self.uid), items)["policy"]?.string == "passcode")
    }
    for items in [["tty=tty2"], ["tty=:0"], ["tty=/dev/tty1", "rhost=localhost"]] {
      #expect(try asked(logins.login(Self.uid, nil), items)["policy"]?.string == "passcode")
    }
  }

  @Test func administratorsSayOtherwise() throws {
    let call = try asked(["/usr/bin/env"], ["tty=tty2"], "allow_remote")
    #expect(call["policy"]?.string == "device-owner")
    #expect(call["origin"]?.string == "owner")
    let remote = try asked(["/usr/bin/env"], ["rhost=192.0.2.1"], "allow_remote")
    #expect(remote["policy"]?.string == "device-owner")
    #expect(remote["origin"]?.string == "host:192.0.2.1")
  }

  @Test(.enabled(if: Files.exists("/dev/tty63"), "needs virtual consoles"))
  func rootAtAConsoleIsHereBeforeThereIsASession() throws {
    // As login(1) is. The kernel says which terminal it is, the application may say anything.
    func atConsole(_ words: [String]) throws -> String? {
      // What a test starts leads a session, whose terminal becomes the first that it opens.
      let command = ["/bin/sh", "-c", "exec </dev/tty63; exec \"$@\"", "console"] + words
      return try asked(command)["policy"]?.string
    }
    #expect(try atConsole(["/usr/bin/env"]) == "device-owner")
    #expect(try atConsole(Self.running(as: Self.uid)) == "passcode")
    #expect(try atConsole(logins.login(0, TestLogins.remote)) == "passcode")
  }

  // MARK: Who asks

  @Test func hostsAndOtherUsersAreNamed() throws {
    let seat = logins.login(Self.uid)
    #expect(try origin(seat, ["tty=tty2", "rhost=192.0.2.1"]) == "host:192.0.2.1")
    #expect(try origin(seat, ["tty=tty2", "rhost=2001:db8::1%eth0"]) == "host:2001:db8::1%eth0")
    #expect(try origin(seat, ["tty=tty2", "ruser=\(Self.other.0)"]) == "user:\(Self.other.1)")
    #expect(try origin(seat, ["tty=tty2", "ruser=root"]) == "user:0")
    #expect(try origin(seat, ["tty=tty2", "ruser=\(Self.name)"]) == "owner")
    #expect(try origin(seat, ["tty=tty2", "ruser=no such user"]) == "owner")
    #expect(try origin(seat + Self.running(as: Self.other.1)) == "user:\(Self.other.1)")
  }

  /// Tries of the user's own sudo, over ssh or in a terminal that a desktop started, are on a count of their own.
  @Test func whoeverTheKernelKnowsToBeTheUserIsNamedElsewhereToo() throws {
    for record in [TestLogins.remote, nil] {
      let words = logins.login(Self.uid, record) + Self.running(as: Self.uid)
      #expect(try origin(words) == "user:\(Self.uid)")
      #expect(try origin(words, ["ruser=\(Self.other.0)"]) == "user:\(Self.uid)")
      #expect(try origin(words, ["tty=tty2", "rhost=192.0.2.1"]) == "host:192.0.2.1")
      let other = logins.login(Self.uid, record) + Self.running(as: Self.other.1)
      #expect(try origin(other) == "user:\(Self.other.1)")
    }
  }

  /// Services of root's name as who asks whoever wants to log in.
  @Test func wordOfAnApplicationMakesNobodyTheUserElsewhere() throws {
    let remote = logins.login(Self.uid, TestLogins.remote)
    for said in [["ruser=\(Self.name)"], ["ruser=no such user"], []] {
      #expect(try origin(remote, ["tty=tty2"] + said) == "host:")
    }
  }

  @Test func wordOfTheKernelBeatsThatOfTheApplication() throws {
    let seat = logins.login(Self.uid)
    for said in ["root", Self.name] {
      let words = seat + Self.running(as: Self.other.1)
      #expect(try origin(words, ["tty=tty2", "ruser=\(said)"]) == "user:\(Self.other.1)")
    }
    let words = seat + Self.running(as: Self.uid)
    #expect(try origin(words, ["tty=tty2", "ruser=\(Self.other.0)"]) == "owner")
  }

  /// Whoever owns an address chooses its name.
  @Test func noNameOfAHostMakesTheRequestUnreadable() throws {
    let seat = logins.login(Self.uid)
    for (name, read) in [
      ("a\"b\\c", "a?b?c"), ("a\u{1b}[2J", "a??2J"), ("é", "??"), ("a b", "a?b"),
      (String(repeating: "x", count: 400), String(repeating: "x", count: 255)),
    ] {
      #expect(try origin(seat, ["tty=tty2", "rhost=\(name)"]) == "host:" + read)
    }
  }

  @Test func programsThatAreNotRootSayNothingOfIt() throws {
    module.admitEverybody()
    let call = try asked(["/usr/bin/setpriv"] + Machine.asOther([], uid: Self.uid))
    #expect(call["user"]?.integer == Int(Self.uid))
    #expect(call["origin"] == nil)
  }
}
