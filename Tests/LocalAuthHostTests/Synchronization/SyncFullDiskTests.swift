import Glibc
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthSync
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A device that has no room for what its hub has.
@Suite(.enabled(if: TinyDisk.isPossible, "needs root, and to mount"))
struct SyncFullDiskTests {
  private let place = ScratchDirectory()

  @Test func whatCannotBeKeptIsSaidAndComesByItselfOnceThereIsRoom() throws {
    let disk = try #require(TinyDisk(mebibytes: 16))
    let circle = try SyncCircle("first", in: place)
    let (first, hub) = (circle.devices[0], circle.hub)
    let second = try SyncDevice(hub, in: disk.path + "/home")
    try second.enter(as: "second", by: first)
    for device in [first, second] { try device.synchronize() }
    let long = String(repeating: "x", count: 300_000)
    try first.add("long", long)
    try first.synchronize()
    disk.fill()
    let report = try second.synchronize()
    #expect(report.unkept == .full && report.failure == nil && report.stage == .member)
    let reply = SyncMessages.StatusReply(report)
    #expect(reply.failureCode == "notStored" && reply.failure?.contains("the disk is full") == true)
    #expect(try second.get("long") == nil)
    #expect(try second.synchronize().unkept == .full)
    disk.empty()
    second.clock.pass(.seconds(61))
    try second.turn { second.synchronizer?.round == nil && second.synchronizer?.unkept == nil }
    #expect(try second.get("long") == long && second.isQuiet(with: hub))
    #expect(try SyncMessages.StatusReply(second.report()).failureCode == nil)
  }

  /// Both passwords were tried in turn, without a pause, as long as the disk was full.
  @Test func aPasswordThatCannotBeKeptIsTriedAgainAfterAWhile() throws {
    let disk = try #require(TinyDisk(mebibytes: 16))
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: disk.path + "/home")
    hub.lie = { _, request, reply in
      if case .setVerifier = request { disk.fill() }
      return reply
    }
    try first.found(by: code)
    try first.turn { hub.requests.contains { if case .setVerifier = $0 { true } else { false } } }
    let asked = hub.requests.count
    try first.settle(hub)
    #expect(hub.passwords.count < 4 && hub.requests.count < asked + 4)
    hub.lie = nil
    disk.empty()
    first.clock.pass(.seconds(61))
    try first.turn { first.isQuiet(with: hub) }
    #expect(first.synchronizer?.state.membership.isPasswordShared == false)
  }
}

/// A file system of its own in memory, so small that it can be filled; unmounted with the value.
private final class TinyDisk {
  private let place = ScratchDirectory()
  var path: String { place.path }

  /// Whether this process may mount: root outside of a container that forbids it.
  static let isPossible = geteuid() == 0 && TinyDisk(mebibytes: 1) != nil

  init?(mebibytes: Int) {
    let options = "size=\(mebibytes)m,mode=700"
    guard Self.run("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", place.path]) else {
      return nil
    }
  }

  deinit { _ = Self.run("/bin/umount", ["-l", place.path]) }

  /// Leaves no page free.
  func fill() {
    let page = [UInt8](repeating: 1, count: 4096)
    // SAFETY: the string is a C string for the call.
    let file = unsafe open(place.file("ballast"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    // SAFETY: the array has that many bytes.
    while unsafe write(file, page, page.count) > 0 {}
    close(file)
  }

  /// Gives back what ``fill()`` took.
  func empty() {
    // SAFETY: the string is a C string for the call.
    _ = unsafe unlink(place.file("ballast"))
  }

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    let request = SpawnRequest(executable: program, arguments: arguments)
    guard var child = try? ChildProcess.spawn(request) else { return false }
    return (try? child.waitForExit()) == .status(0)
  }
}
