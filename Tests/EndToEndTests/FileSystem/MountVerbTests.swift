import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl file mount|unmount`.
@Suite(.enabled(if: MountedDevice.isPossible, "/dev/fuse does not open, or a program is missing"))
struct MountVerbTests {
  private let mounted: MountedDevice

  init() throws { mounted = try MountedDevice(isMounted: false) }

  private func mount(
    _ directory: String? = nil,
    at place: String? = nil
  ) throws -> RunningProgram.Report {
    try mounted.authctl("file", "mount", directory ?? mounted.directory, place ?? mounted.place)
  }

  @Test func mountsAndUnmountsOnceNobodyHasFilesOpen() throws {
    let made = try mount()
    #expect(made.status == 0 && made.errors.contains("shows the files"), "\(made.errors)")
    #expect(try mount(at: mounted.device.scratch.makeDirectory("other")).status == 8)
    let unmount = "\(Machine.authctl) file unmount \(mounted.place)"
    let busy = try mounted.shell("echo text > a; exec 4< a; cd /; \(unmount)")
    #expect(busy.status == 8 && busy.errors.contains("have files open"), "\(busy.errors)")
    let done = try mounted.authctl("file", "unmount", mounted.place)
    #expect(done.status == 0, "\(done.errors)")
    let sealed = try mounted.authctl("file", "cat", "--sealed-only", mounted.directory + "/a")
    #expect(sealed.output == "text\n", "\(sealed.errors)")
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 2)
  }

  /// Programs get an error for them that says nothing.
  @Test func aMountSaysWhatProgramsCannotReadThere() throws {
    #expect(try mount().errors.hasSuffix("shows the files in \(mounted.directory).\n"))
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
    _ = try mounted.device.scratch.makeDirectory("vault/below")
    let plain = mounted.directory + "/below/plain"
    try Files.write(Array("text".utf8), to: plain)
    let made = try mount()
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("\(plain) is not protected"), "\(made.errors)")
    #expect(!made.errors.contains("is not unlocked"), "\(made.errors)")
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
    _ = try mounted.authctl("device", "reboot")
    let locked = try mount()
    #expect(locked.status == 0 && locked.errors.contains("is not unlocked"), "\(locked.errors)")
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
  }

  /// What programs read in a mount is content: encrypted once more they would read nothing of it.
  @Test func fileInAMountIsProtectedOnceAndSaidToBe() throws {
    #expect(try mount().status == 0)
    #expect(try mounted.shell("echo text > new").status == 0)
    let new = mounted.place + "/new"
    let place = "the file itself is in \(mounted.directory)."
    let sentence = "\(new) is the content that a mount shows: \(place)"
    for verb in ["protect", "unprotect", "cat", "edit"] {
      let refused = try mounted.authctl("file", verb, new)
      #expect(refused.status == 2 && refused.errors.contains(sentence), "\(refused.errors)")
    }
    let status = try mounted.authctl("file", "status", new)
    #expect(status.status == 0 && status.output == sentence + "\n", "\(status)")
    let json = try mounted.authctl("--json", "file", "status", new).json
    #expect(json["protected"]?.content == .bool(true))
    #expect(json["directory"]?.string == mounted.directory)
    try Files.write(Array("text".utf8), to: mounted.directory + "/plain")
    let plain = try mounted.authctl("file", "status", mounted.place + "/plain")
    #expect(plain.output.hasSuffix(": \(place) That is not protected.\n"), "\(plain)")
    let copy = mounted.place + "/copy"
    let exported = try mounted.authctl("file", "export", mounted.directory + "/new", copy)
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(exported.errors.contains("that is protected in \(mounted.directory)"))
    #expect(try mounted.shell("cat new copy").output == "text\ntext\n")
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
  }

  @Test func deviceWithoutKeysMountsNothing() throws {
    // The machine itself, whose passcode was never told.
    let words = ["--home", mounted.device.daemon.home, "file", "mount"]
    let made = try mounted.run([Machine.authctl] + words + [mounted.directory, mounted.place])
    #expect(made.status == 14 && made.errors.contains("passcode set"), "\(made.errors)")
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 2)
  }

  @Test func placeThatCannotBeMountedSaysWhichAndWhy() throws {
    let nowhere = mounted.device.scratch.file("nowhere")
    let missing = try mount(nowhere)
    #expect(
      missing.status == 2 && missing.errors.contains("\(nowhere) does not exist."),
      "\(missing.errors)"
    )
    #expect(try mount(at: nowhere).errors.contains("\(nowhere) does not exist."))
    let itself = try mount(at: mounted.directory)
    #expect(itself.status == 2 && itself.errors.contains("in its own place"), "\(itself.errors)")
    #expect(try mount().status == 0)
    let again = try mount()
    let shown = "\(mounted.place) shows the files in \(mounted.directory) already."
    #expect(again.status == 8 && again.errors.contains(shown), "\(again.errors)")
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
  }

  @Test func placesThatWouldHideOrMixFilesAreRefused() throws {
    let scratch = mounted.device.scratch
    let below = try scratch.makeDirectory("vault/below")
    #expect(try mount(at: below).errors.contains("are not beside each other"))
    #expect(try mount(below, at: mounted.directory).status == 2)
    let full = try scratch.makeDirectory("full")
    try scratch.write("text", to: "full/file")
    #expect(try mount(at: full).errors.contains("is not empty"))
    let shared = try scratch.makeDirectory("shared", mode: 0o777)
    #expect(try mount(shared).status == 77)
    let foreign = try scratch.makeDirectory("foreign")
    // SAFETY: the string is a C string for the call.
    _ = unsafe chown(foreign, Machine.otherUID, Machine.otherUID)
    #expect(try mount(foreign).errors.contains("belongs to another user"))
    #expect(try mount("/nonexistent").status == 2)
  }

  /// What is made there is protected already, and is read and written as it is.
  @Test func whatAMountShowsIsNotMountedOnceMore() throws {
    let scratch = mounted.device.scratch
    let other = try scratch.makeDirectory("other")
    #expect(try mount().status == 0)
    let again = try mount(mounted.place, at: other)
    let sentence = "shows the files in \(mounted.directory)"
    #expect(again.status == 8 && again.errors.contains(sentence), "\(again.errors)")
    #expect(try mounted.shell("mkdir below").status == 0)
    #expect(try mount(mounted.place + "/below", at: other).status == 8)
    let program = [Machine.programs + "/localauth-fuse"] + mounted.device.words
    let direct = try mounted.run(program + [mounted.place, other])
    #expect(direct.status == 8 && direct.errors.contains(sentence), "\(direct.errors)")
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
  }

  @Test func mountThatWasKilledSaysWhatEndsIt() throws {
    try mounted.mount()
    try mounted.program?.end(SIGKILL)
    let refused = try mount()
    #expect(refused.status == 8 && refused.errors.contains("'file unmount'"), "\(refused.errors)")
    let ended = try mounted.authctl("file", "unmount", mounted.place)
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try mount().status == 0)
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
  }

  @Test func stateOfTheDaemonIsNotMounted() throws {
    let made = try mount(mounted.device.daemon.home)
    #expect(made.status == 77 && made.errors.contains("own state"), "\(made.errors)")
  }

  /// Two mounts of one file would each keep a size that the other changes.
  @Test func directoryInAMountedOneOrAboveOneIsNotMountedBesideIt() throws {
    let scratch = mounted.device.scratch
    _ = try scratch.makeDirectory("vault/between")
    let below = try scratch.makeDirectory("vault/between/below")
    let beside = try scratch.makeDirectory("vault/beside")
    let (other, third) = (try scratch.makeDirectory("other"), try scratch.makeDirectory("third"))
    #expect(try mount().status == 0)
    #expect(try mount(below, at: other).status == 8)
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
    #expect(try mount(below, at: other).status == 0)
    #expect(try mount().status == 8)
    #expect(try mount(beside, at: third).status == 0)
    for place in [other, third] {
      #expect(try mounted.authctl("file", "unmount", place).status == 0)
    }
    #expect(try mount().status == 0)
    #expect(try mounted.authctl("file", "unmount", mounted.place).status == 0)
  }

  /// Where the kernel offers no file systems, or the library is missing, one sentence says so.
  @Test(arguments: [
    ("mount --bind /mnt/fuse /dev/fuse", "Nothing is mounted: /dev/fuse cannot be opened"),
    (
      "mount --bind /mnt/empty $(ldconfig -p | sed -n 's/.*libfuse3.so.3 .*=> //p')",
      "Nothing is mounted: libfuse3 is not installed"
    ),
  ])
  func machineThatCannotMountIsTold(_ hiding: String, _ sentence: String) throws {
    let script =
      "mount -t tmpfs -o nodev tmpfs /mnt; mknod /mnt/fuse c 10 229; touch /mnt/empty; " + hiding
    let hidden = try mounted.shell(script)
    #expect(hidden.status == 0, "\(hidden.errors)")
    let made = try mount()
    #expect(made.status == 69 && made.errors.contains(sentence), "\(made.errors)")
    try mounted.device.scratch.write("text", to: "note")
    let note = mounted.device.scratch.file("note")
    #expect(try mounted.authctl("file", "protect", note).status == 0)
  }
}
