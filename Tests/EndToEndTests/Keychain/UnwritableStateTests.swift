import Glibc
import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// State that cannot be written: whatever would have to be stored fails with one clear line, and what
/// asks for no proof can still be read.
@Suite struct UnwritableStateTests {
  private let scratch = Scratch()

  /// A verb, the statuses that it may exit with, and what its line must hold.
  private struct Verb {
    var words: [String]
    var statuses: Set<Int32>
    var input = ""
  }

  private static let item = ["--account", "me", "--service", "mail"]

  /// Every verb that changes something.
  private static let changing = [
    Verb(
      words: ["keychain", "add", "--account", "new", "--service", "mail", "--stdin"],
      statuses: [24],
      input: "x\n"
    ),
    Verb(words: ["keychain", "update"] + item + ["--stdin"], statuses: [24], input: "y\n"),
    Verb(words: ["keychain", "update"] + item + ["--set-label", "z"], statuses: [24]),
    Verb(words: ["keychain", "delete"] + item, statuses: [24]),
    Verb(words: ["passcode", "set", "--passcode-fd", "0"], statuses: [70], input: "1234\n"),
    Verb(words: ["device", "create", "another"], statuses: [70]),
    Verb(words: ["sensor", "enroll", "left-thumb"], statuses: [70, 18, 17]),
    Verb(
      words: ["evaluate", "--policy", "biometrics", "--reason", "x", "--script", "match"],
      statuses: [70]
    ),
  ]

  private func words(_ daemon: DaemonProcess, _ words: [String]) -> [String] {
    ["--socket", daemon.socket, "--device", "sim"] + words
  }

  private func prepare(_ daemon: DaemonProcess) throws {
    let client = try daemon.connect()
    try client.create("sim")
    let mail = JSONValue.password("mail", "me").adding(ItemVersion.attributes(1))
    #expect(try client.item("Add", on: "sim", mail, ["data": ItemVersion.data(1)]).isDone)
    let touch: JSONValue = [
      "class": "inet", "srvr": "touch",
      "accc": ["accessControl": ["protection": "ak", "flags": ["biometryAny"]]],
    ]
    #expect(try client.item("Add", on: "sim", touch, ["data": "AAAA"]).isDone)
  }

  /// Every verb that changes something fails with a documented status and one line that names the cause.
  private func expectRefusals(_ daemon: DaemonProcess, saying cause: String) throws {
    for verb in Self.changing {
      let report = try Authctl.run(words(daemon, verb.words), input: verb.input)
      #expect(report.status.map { verb.statuses.contains($0) } == true, "\(verb.words): \(report)")
      // An enrolment has told of its stages before.
      let lines = report.errors.split(separator: "\n").filter { !$0.contains(": stage ") }
      #expect(lines.count == 1, "\(verb.words): \(report)")
      #expect(lines.last?.contains(cause) == true, "\(verb.words): \(report.errors)")
    }
  }

  /// Reading goes on; what asks for a touch does not open, because the touch cannot be charged.
  private func expectReads(_ daemon: DaemonProcess) throws {
    let client = try daemon.connect()
    let wanted: [String: JSONValue] = ["r_Data": true, "r_Attributes": true]
    let mail = try client.item("Copy", on: "sim", .password("mail", "me").setting(wanted))
    #expect(mail.items.first.flatMap(ItemVersion.of) == 1, "\(mail.reply)")
    let got = try Authctl.run(words(daemon, ["keychain", "get"] + Self.item))
    #expect(got.status == 0 && !got.output.isEmpty, "\(got)")
    let list = try Authctl.run(words(daemon, ["keychain", "list"]))
    #expect(list.status == 0 && list.output.contains("mail"), "\(list)")
    let call = WireClient.itemCall(
      on: "sim",
      ["class": "inet", "srvr": "touch", "r_Data": true],
      ["interactive": true, "script": "match"]
    )
    let replies = try client.stream(Interface.keychain + "Copy", call)
    let touch = replies.last.map { ItemAnswer(reply: $0) }
    #expect(touch?.exit == 70 && touch?.items.isEmpty == true, "\(replies)")
    #expect(try Authctl.run(words(daemon, ["status"])).status == 0)
  }

  private func expectEverythingWorks(_ daemon: DaemonProcess) throws {
    let client = try daemon.connect()
    let change: [String: JSONValue] = [
      "changes": ItemVersion.attributes(2), "data": ItemVersion.data(2),
    ]
    let query = JSONValue.password("mail", "me")
    #expect(try client.item("Update", on: "sim", query, change).isDone)
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
    let versions = try client.item(
      "Copy",
      on: "sim",
      query.setting(["r_Data": true, "r_Attributes": true])
    )
    #expect(versions.items.first.flatMap(ItemVersion.of) == 2)
  }

  /// Has the log truncated, whose room would do for some changes more.
  private func emptyLog(of daemon: DaemonProcess) throws {
    let client = try daemon.connect()
    let change: [String: JSONValue] = ["changes": ItemVersion.attributes(1)]
    #expect(try client.item("Update", on: "sim", .password("mail", "me"), change).isDone)
    while !(try Files.read(daemon.home + "/state.sqlite-wal").isEmpty) { sched_yield() }
  }

  /// A daemon's socket is not on the disk that fills up.
  private var options: DaemonProcess.Options { .init(socket: scratch.file("socket")) }

  /// A disk that filled up under a prepared daemon.
  private func fullDisk() throws -> (SmallDisk, DaemonProcess) {
    let disk = try SmallDisk(kibibytes: 1024)
    let daemon = try DaemonProcess(home: disk.path + "/home", options)
    try prepare(daemon)
    try emptyLog(of: daemon)
    try disk.fill()
    return (disk, daemon)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a file system"))
  func aFullDiskIsNamedAndReadsGoOn() throws {
    let (disk, daemon) = try fullDisk()
    try expectRefusals(daemon, saying: "disk is full")
    try expectReads(daemon)
    disk.empty()
    try expectEverythingWorks(daemon)
    #expect(try daemon.stop() == .status(0))
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a file system"))
  func theAuditSaysHowManyLinesAFullDiskDidNotTake() throws {
    let (disk, daemon) = try fullDisk()
    let client = try daemon.connect()
    for _ in 0..<3 {
      #expect(try client.evaluate(on: "sim", script: "match").outcome == "internalError")
    }
    disk.empty()
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
    let reply = try client.call(Interface.devices + "Audit", ["device": "sim", "limit": 2]).get()
    let lines = reply["lines"]?.elements ?? []
    #expect(lines.map { $0["outcome"]?.string } == ["internalError", "success"])
    let told = "3 lines could not be written: the disk is full"
    #expect(lines.first?["action"]?.string == "audit gap")
    #expect(lines.first?["detail"]?.string?.hasPrefix(told) == true, "\(lines)")
    #expect(try daemon.stop() == .status(0))
  }

  @Test(
    .enabled(if: SmallDisk.isPossible, "only root can mount a file system"),
    arguments: [true, false]
  )
  func aReadOnlyDirectoryCanBeReadFromTheStart(_ wasKilled: Bool) throws {
    let disk = try SmallDisk(kibibytes: 2048)
    let home = disk.path + "/home"
    let writing = try DaemonProcess(home: home, options)
    try prepare(writing)
    if wasKilled { try writing.crash() } else { try writing.stop() }
    try disk.makeReadOnly()
    let before = try Files.contents(of: home)
    let reading = try DaemonProcess(home: home, options)
    try expectReads(reading)
    try expectRefusals(reading, saying: "cannot be written")
    try expectReads(reading)
    #expect(throws: DaemonProcess.NotStarted.self, "the lock holds") {
      try DaemonProcess(home: home, .init(socket: scratch.file("other")))
    }
    #expect(try reading.stop() == .status(0))
    #expect(try Files.contents(of: home) == before)
    try disk.makeWritable()
    try expectEverythingWorks(try DaemonProcess(home: home, options))
  }

  /// The keys are destroyed at once; what else an erasure removes must not outlive it unseen.
  @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a file system"))
  func anErasureThatCouldNotBeStoredIsMadeUpFor() throws {
    let (disk, daemon) = try fullDisk()
    let client = try daemon.connect()
    let refused = try client.call(Interface.devices + "Erase", ["device": "sim"])
    #expect(refused.errorName == "Internal", "\(refused)")
    #expect(refused.parameters["message"]?.string?.contains("disk is full") == true)
    let mail = JSONValue.password("mail", "me")
    #expect(try client.item("Copy", on: "sim", mail).outcome == "itemNotFound")
    disk.empty()
    let added = try client.item("Add", on: "sim", mail, ["data": "AAAA"])
    #expect(added.isDone, "\(added.reply)")
    #expect(try client.item("Copy", on: "sim", mail.setting(["m_Limit": 9])).items.count <= 1)
    #expect(try daemon.stop() == .status(0))
    let later = try DaemonProcess(home: disk.path + "/home", options).connect()
    #expect(try later.item("Copy", on: "sim", mail.setting(["r_Data": true])).items.count == 1)
    #expect(try later.item("Copy", on: "sim", ["class": "inet"]).outcome == "itemNotFound")
  }

  /// What an error of the disk does to a file system that is mounted with errors=remount-ro.
  @Test(
    .enabled(if: Machine.compiler != nil, "needs a C compiler"),
    .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it")
  )
  func aDirectoryThatBecomesReadOnlyCanStillBeRead() throws {
    let library = scratch.file("read-only.so")
    try Machine.compile(Self.readOnlyFiles, to: library, ["-shared", "-fPIC"])
    let flag = scratch.file("flag")
    let daemon = try DaemonProcess(
      home: scratch.file("home"),
      .init(
        environment: ["LD_PRELOAD=\(library)", "FLAG=\(flag)"],
        socket: scratch.file("socket")
      )
    )
    try prepare(daemon)
    try Files.write([], to: flag)
    try expectReads(daemon)
    try expectRefusals(daemon, saying: "cannot be written")
    try expectReads(daemon)
    Files.remove(flag)
    try expectEverythingWorks(daemon)
    #expect(try daemon.stop() == .status(0))
  }

  /// While the file of that name is there, no regular file can be written, or opened for it.
  private static let readOnlyFiles = #"""
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdlib.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    static int is_read_only(void) { return syscall(SYS_access, getenv("FLAG"), F_OK) == 0; }

    static int refuse(int file) {
      struct stat status;
      if (!is_read_only() || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
      errno = EROFS;
      return 1;
    }

    ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
      return refuse(file) ? -1 : syscall(SYS_pwrite64, file, bytes, count, offset);
    }
    ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
      return pwrite(file, bytes, count, offset);
    }
    int ftruncate(int file, off_t size) {
      return refuse(file) ? -1 : (int)syscall(SYS_ftruncate, file, size);
    }
    int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
    static int opened(const char *path, int flags, mode_t mode) {
      if (flags & (O_WRONLY | O_RDWR) && is_read_only()) return errno = EROFS, -1;
      return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    }
    int open(const char *path, int flags, ...) {
      va_list rest;
      va_start(rest, flags);
      mode_t mode = va_arg(rest, mode_t);
      va_end(rest);
      return opened(path, flags, mode);
    }
    int open64(const char *path, int flags, ...) {
      va_list rest;
      va_start(rest, flags);
      mode_t mode = va_arg(rest, mode_t);
      va_end(rest);
      return opened(path, flags, mode);
    }
    """#
}
