import LocalAuthJSON
import Testing

/// Items that ask for a finger of a reader that keeps the prints itself.
@Suite(.enabled(if: ReaderDevice.isPossible, "needs fprintd, dbus-daemon and python3-gi"))
struct ReaderItemTests {
  private func add(_ flag: String, on device: ReaderDevice) throws -> Int32? {
    try device.authctl(
      ["keychain", "add", "note", "--access-control", flag, "--stdin"],
      input: "secret\n"
    ).status
  }

  @Test func theCurrentSetCannotBeAskedForWhereOthersMayChangeIt() throws {
    let device = try ReaderDevice()
    try device.enroll()
    #expect(try add("biometryCurrentSet", on: device) != 0)
    #expect(try add("biometryAny", on: device) == 0)
  }

  @Test func anItemOfTheCurrentSetIsGoneWhenTheSetChanges() throws {
    let device = try ReaderDevice(manifest: ", \"exclusive\": true", arguments: ["--exclusive"])
    try device.enroll()
    #expect(try add("biometryCurrentSet", on: device) == 0)
    let get = ["keychain", "get", "note", "--non-interactive"]
    #expect(try device.authctl(get).status == 5)
    try device.enroll("left-thumb", print: "two")
    #expect(try device.authctl(get).status == 20)
  }
}
