import CLocalAuthLinux
import Glibc
import LocalAuthUnix
import Testing

/// `authctl backup create --generate` over a backup that is there: one whose password nobody has never takes its place.
@Suite struct MadePasswordTests {
  private let device: SecretDevice
  private let before: [UInt8]
  private var file: String { device.scratch.file("my.backup") }
  private var words: [String] { ["backup", "create", file, "--generate"] }

  init() throws {
    device = try SecretDevice()
    let path = device.scratch.file("my.backup")
    let made = try device.authctl(["backup", "create", path, "--device-only"])
    try #require(made.status == 0, "\(made.errors)")
    before = try Files.read(path)
  }

  private func expectTheOldOne() throws {
    #expect(try Files.read(file) == before)
    #expect(try Files.names(in: device.scratch.path).filter { $0.hasSuffix(".new") }.isEmpty)
  }

  @Test(arguments: [">/dev/full", ">&-"])
  func onePrintedWhereNothingCanBeWrittenReplacesNothing(_ output: String) throws {
    let made = try RunningProgram.run(
      "/bin/sh",
      ["-c", "\"$0\" \"$@\" \(output)", Machine.authctl] + device.words + words,
      environment: Authctl.environment
    )
    #expect(made.status == 70, "\(made)")
    #expect(made.errors.contains("cannot be written to. Nothing was written."), "\(made)")
    try expectTheOldOne()
  }

  @Test func oneThatNobodyReadsReplacesNothing() throws {
    var ends: (reader: Int32, writer: Int32) = (-1, -1)
    // SAFETY: both pointers are valid for the call.
    try #require(unsafe la_pipe(&ends.reader, &ends.writer) == 0)
    close(ends.reader)
    let output = FileDescriptor(owning: ends.writer)
    let program = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: device.words + words,
        environment: Authctl.environment,
        descriptors: [.null, .duplicate(of: output.rawValue), .null]
      )
    )
    #expect(try program.waitForExit() != .status(0))
    try expectTheOldOne()
  }

  /// It was printed by then.
  @Test(.enabled(if: Machine.compiler != nil, "needs a C compiler"))
  func oneWhoseBackupCannotTakeItsPlaceIsSaidToBeOfNone() throws {
    let library = device.scratch.file("no-rename")
    let source = """
      #include <errno.h>
      int renameat(int from, const char *old, int to, const char *new) {
        (void)from, (void)old, (void)to, (void)new;
        errno = EIO;
        return -1;
      }
      """
    try Machine.compile(source, to: library, ["-shared", "-fPIC"])
    let made = try RunningProgram.run(
      Machine.dynamicAuthctl,
      device.words + words,
      environment: Authctl.environment + ["LD_PRELOAD=\(library)"]
    )
    #expect(made.status == 70 && !made.output.isEmpty, "\(made)")
    #expect(
      made.errors.contains("Nothing was written. The password that was printed is of no backup."),
      "\(made)"
    )
    try expectTheOldOne()
  }
}
