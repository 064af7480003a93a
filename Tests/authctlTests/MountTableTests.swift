import Testing

@testable import authctl

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
      directory: "/home/ann/a\\b c"
    )
    #expect(table.mounts == [mount])
    #expect(table.mount(at: "/home/ann/my files") == mount)
    #expect(table.mount(at: "/home/ann/other") == nil)
  }
}
