import CLocalAuthLinux
import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct NamelessListenerTests {
  @Test func whoeverItWasPassedToServesIt() throws {
    let scratch = ScratchDirectory()
    let pair = try SocketPair()
    let listener = try NamelessListener(in: PrivateDirectory(opening: scratch.path))
    let place = try listener.pass(over: pair.ours)
    let early = try place.connect()
    let received = FileDescriptor(owning: la_receive_descriptor(pair.theirs.rawValue))
    #expect(la_socket_is_listener(received.rawValue) == 1)
    let accepted = FileDescriptor(owning: accept(received.rawValue, nil, nil))
    #expect(accepted.rawValue >= 0)
    early.shutDown()
    var byte: UInt8 = 0
    #expect(unsafe recv(accepted.rawValue, &byte, 1, 0) == 0)
  }

  @Test func oneThatNobodyTakesRefusesConnections() throws {
    let place = try {
      let pair = try SocketPair()
      return try PrivateDirectory.withTemporary { (directory) throws(SystemError) in
        try NamelessListener(in: directory).pass(over: pair.ours)
      }
    }()
    // A process that another test has forked holds the listener a moment longer.
    let deadline = Deadline.after(.seconds(60))
    var code: Int32 = 0
    while code != ECONNREFUSED, !deadline.hasPassed {
      do throws(SystemError) { _ = try place.connect() } catch { code = error.code }
    }
    #expect(code == ECONNREFUSED)
  }

  @Test func temporaryDirectoryIsGoneAfterwards() throws {
    let path = try PrivateDirectory.withTemporary { (directory) throws(SystemError) in
      _ = try NamelessListener(in: directory)
      return directory.path
    }
    #expect(!PathAccess.exists(path))
  }

  @Test func aMessageWithoutADescriptorIsNone() throws {
    let pair = try SocketPair()
    #expect(la_receive_descriptor(pair.theirs.rawValue) == -EAGAIN)
    #expect(unsafe send(pair.ours.rawValue, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
    #expect(la_receive_descriptor(pair.theirs.rawValue) == -EBADMSG)
    pair.ours.shutDown()
    #expect(la_receive_descriptor(pair.theirs.rawValue) == -EBADMSG)
  }
}
