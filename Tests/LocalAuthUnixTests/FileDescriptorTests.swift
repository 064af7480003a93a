import Glibc
import LocalAuthUnix
import Testing

@Suite struct FileDescriptorTests {
  @Test func closesWithItsOwner() throws {
    let (near, peer) = try StreamPair().take()
    _ = FileDescriptor(owning: near)
    #expect(peer.receive() == .end)
  }

  @Test func staysOpenWhenReleased() throws {
    let (near, peer) = try StreamPair().take()
    let number = FileDescriptor(owning: near).release()
    #expect(number == near)
    #expect(fcntlFlags(number) >= 0)
    close(number)
    #expect(peer.receive() == .end)
  }

  private func fcntlFlags(_ number: Int32) -> Int32 { fcntl(number, F_GETFL) }
}
