import Glibc
import LocalAuthUnix
import Testing

@Suite struct DescriptorWaitTests {
  @Test func namesThoseThatAreReadableInTheirOrder() throws {
    let first = try SocketPair()
    let second = try SocketPair()
    let watched = [second.ours.rawValue, first.ours.rawValue]
    #expect(try DescriptorWait.readable(among: watched, until: .after(.zero)) == [])
    #expect(write(to: first.theirs.rawValue) == 1)
    #expect(try DescriptorWait.readable(among: watched, until: nil) == [watched[1]])
    #expect(write(to: second.theirs.rawValue) == 1)
    #expect(try DescriptorWait.readable(among: watched, until: nil) == watched)
  }

  @Test func anEndIsReadable() throws {
    let kept = try SocketPair().takeOurs()
    #expect(
      try DescriptorWait.readable(among: [kept.rawValue], until: nil) == [kept.rawValue]
    )
  }

  private func write(to descriptor: Int32) -> Int {
    // SAFETY: the string lives for the call.
    unsafe Glibc.write(descriptor, "x", 1)
  }
}
