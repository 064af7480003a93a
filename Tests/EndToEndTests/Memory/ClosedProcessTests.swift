import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// What other programs, the disk and the network get of a running daemon.
@Suite struct ClosedProcessTests {
  private let scratch = Scratch()

  /// Says which files of a process the program in front of it may open: first of one that hides nothing.
  private static let spy = """
    sh -c '(: < /proc/$PPID/environ) && echo open'
    for file in environ maps mem; do (: < "/proc/$1/$file") 2>/dev/null && echo "$file"; done
    exit 0
    """

  /// A directory that belongs to an ordinary user.
  private func homeOfOther() throws -> String {
    Files.setMode(0o755, of: scratch.path)
    let home = try scratch.makeDirectory("home")
    _ = try RunningProgram.run("/bin/chown", ["\(Machine.otherUID)", home])
    return home
  }

  @Test(.enabled(if: Machine.canRunAsOther, "needs root, to be an ordinary user"))
  func memoryIsClosedToTheSameUser() throws {
    let daemon = try DaemonProcess(home: homeOfOther(), .init(uid: Machine.otherUID))
    let report = try RunningProgram.run(
      "/usr/bin/setpriv",
      Machine.asOther(["/bin/sh", "-c", Self.spy, "spy", "\(daemon.processID)"])
    )
    #expect(report.output == "open\n", "\(report.output)\(report.errors)")
  }

  @Test func noCoreFileIsLeft() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let limits = try Files.text("/proc/\(daemon.processID)/limits").split(separator: "\n")
    let core = try #require(limits.first { $0.hasPrefix("Max core file size") })
    #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(core)")
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to see the daemon's descriptors"))
  func daemonHasNoSocketOfANetwork() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("sim")
    let words = ["/proc/\(daemon.processID)/fd", "-lname", "socket:*", "-printf", "%l\n"]
    let sockets = try RunningProgram.run("/usr/bin/find", words).output.split(separator: "\n")
    let ours = try Files.text("/proc/\(daemon.processID)/net/unix")
    #expect(sockets.count > 1)
    for socket in sockets {
      let number = socket.filter(\.isNumber)
      #expect(ours.contains(" \(number)"), "\(socket) is no Unix socket")
    }
  }

  @Test(
    .enabled(if: Machine.canRunAsOther, "needs root, to be an ordinary user"),
    .disabled(if: Sanitizer.isActive, "the address sanitizer locks no memory and says that it did")
  )
  func memoryThatIsNotLockedIsSaid() throws {
    let home = try homeOfOther()
    let status = [Machine.sharedPrograms.file("authctl"), "--home", home, "status"]
    let run = try RunningProgram.run(
      "/usr/bin/prlimit",
      ["--memlock=0:0", "/usr/bin/setpriv"] + Machine.asOther(status),
      environment: ["PATH=/usr/bin:/bin", "HOME=\(home)"]
    )
    let strays = try Processes.withArgument(home).map(StrayDaemon.init)
    defer { for daemon in strays { _ = try? daemon.end() } }
    #expect(run.status == 0 && run.output.contains("secrets may reach swap"), "\(run)")
    let locked = try DaemonProcess(home: scratch.file("root"))
    let other = try Authctl.run(["--home", locked.home, "status"])
    #expect(!other.output.contains("may reach swap"), "root may lock what it likes")
  }

  /// There is room for the 64 KiB that the keys take and a first region of 256 KiB, not for a second.
  @Test(
    .enabled(if: Machine.canRunAsOther, "needs root, to give up its right to lock what it likes"),
    .disabled(if: Sanitizer.isActive, "the address sanitizer locks no memory and says that it did")
  )
  func memoryThatIsNotLockedAnyMoreIsSaid() throws {
    try scratch.write(
      """
      #!/bin/sh
      exec prlimit --memlock=400000:400000 \\
        setpriv --bounding-set -ipc_lock \(Machine.sharedPrograms.file("localauthd")) "$@"
      """,
      to: "limited",
      mode: 0o755
    )
    let daemon = try DaemonProcess(
      home: scratch.file("home"),
      .init(executable: scratch.file("limited"))
    )
    let client = try daemon.connect()
    try client.create("sim", passcode: "1111")
    #expect(try isMemoryLocked(client) == true)
    let large = JSONValue.text(String(repeating: "YWFh", count: 21_000))
    let waiting = try (0..<6).map { _ in try daemon.connect() }
    for caller in waiting {
      try caller.beginAdding(data: large, on: "sim")
      #expect(try caller.receive().continues)
    }
    #expect(try isMemoryLocked(client) == false)
  }

  private func isMemoryLocked(_ client: WireClient) throws -> Bool? {
    try client.call(Interface.daemon + "Status").parameters["daemon"]?["memoryLocked"]?.boolean
  }
}
