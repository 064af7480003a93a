import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct WriteLeaseTests {
  private let scratch = ScratchDirectory()
  private var path: String { scratch.file("file") }

  init() { scratch.write("text", to: "file") }

  private func open(_ flags: Int32) -> FileDescriptor {
    // SAFETY: the string is a C string for the call.
    FileDescriptor(owning: unsafe Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK))
  }

  @Test func fileThatIsOpenForWritingHasNone() throws {
    let reader = open(O_RDONLY)
    let writer = open(O_WRONLY)
    do throws(SystemError) {
      _ = try WriteLease(of: reader.rawValue)
      Issue.record("somebody can write")
    } catch { #expect(error.code == EAGAIN) }
    let isOpen = writer.rawValue >= 0
    #expect(isOpen)
  }

  @Test func whoOpensTheFileForWritingIsNoticedAndSignalsNobody() throws {
    let reader = open(O_RDONLY)
    let lease = try WriteLease(of: reader.rawValue)
    let canBeRead = open(O_RDONLY).rawValue >= 0
    let isWhole = lease.isWhole
    #expect(canBeRead && isWhole)
    let canBeWritten = open(O_WRONLY).rawValue >= 0
    let wasNoticed = !lease.isWhole
    #expect(!canBeWritten && wasNoticed)
  }

  @Test func fileIsOpenedForWritingAgainOnceTheLeaseHasEnded() throws {
    let reader = open(O_RDONLY)
    do {
      let lease = try WriteLease(of: reader.rawValue)
      let isWhole = lease.isWhole
      #expect(isWhole)
    }
    let canBeWritten = open(O_WRONLY).rawValue >= 0
    #expect(canBeWritten)
  }
}
