import Glibc
import LocalAuthUnix
import Testing

@Suite struct MountTableTests {
  @Test func mountsOfProtectedFilesAreFoundAndNoOthers() {
    let table = MountTable(
      """
      22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      30 22 0:40 / /home/ann/my\\040files rw,nosuid - fuse.localauth /home/ann/a\\134b\\040c rw,user_id=0
      31 22 0:41 / /home/ann/other rw,nosuid shared:5 master:2 - fuse.gocryptfs /home/ann/x rw
      32 22 0:42 / /short

      """
    )
    let mount = MountTable.Mount(
      mountpoint: "/home/ann/my files",
      directory: "/home/ann/a\\b c",
      device: 40
    )
    #expect(table.mounts == [mount])
    #expect(table.mount(at: "/home/ann/my files") == mount)
    #expect(table.mount(at: "/home/ann/other") == nil)
  }

  /// By the number of the device a file is found to be shown, whatever path leads to it.
  @Test(arguments: [("0:40", 40), ("0:300", 1_048_620), ("259:5", 66_309), ("4096:1", 1 << 44 | 1)])
  func fileIsOfTheMountThatHasItsDevice(_ numbers: String, _ device: UInt64) {
    let table = MountTable(
      "30 22 \(numbers) / /open rw - fuse.localauth /vault rw\n31 22 0:7 / /other rw - ext4 /x rw\n"
    )
    #expect(table.mount(of: dev_t(device))?.directory == "/vault")
    #expect(table.mount(of: 7) == nil)
    #expect(table.mount(showing: "/proc") == nil)
  }

  @Test func fileThatIsShownIsSaidToBeProtectedWhereItLies() {
    let mount = MountTable.Mount(mountpoint: "/open", directory: "/vault", device: 40)
    #expect(
      mount.sentence(about: "open/new.txt")
        == "open/new.txt is the content that a mount shows: the file itself is in /vault."
    )
  }
}
