import Glibc
import Testing

@testable import LocalAuthPAM

/// The socket of workers that nobody opened for them.
@Suite struct WorkerSocketTests {
  private func scratch(_ body: (String) throws -> Void) rethrows {
    var template = Array("/tmp/la-worker-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    #expect(unsafe mkdtemp(&template) != nil)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      // SAFETY: here and below, the paths are C strings for the length of the calls.
      unsafe unlink(path + "/d/socket")
      unsafe rmdir(path + "/d")
      unsafe rmdir(path)
    }
    try body(path)
  }

  private func failure(_ path: String) -> WorkerSocketError? {
    do throws(WorkerSocketError) {
      close(try WorkerSocket.make(at: path, for: geteuid()))
      return nil
    } catch {
      return error
    }
  }

  @Test func deadSocketIsReplacedAndALivingOneIsNot() throws {
    try scratch { scratch in
      let path = scratch + "/d/socket"
      let first = try WorkerSocket.make(at: path, for: geteuid())
      #expect(failure(path) == .failed("bind \(path)", errno: EADDRINUSE))
      close(first)
      #expect(failure(path) == nil)
    }
  }

  @Test func directoryThatOthersCanWriteIsRefused() {
    scratch { scratch in
      #expect(unsafe mkdir(scratch + "/d", 0o755) == 0)
      #expect(unsafe chmod(scratch + "/d", 0o775) == 0)
      #expect(failure(scratch + "/d/socket") == .openDirectory(scratch + "/d"))
    }
  }

  @Test func fileThatIsNoSocketStays() {
    scratch { scratch in
      #expect(unsafe mkdir(scratch + "/d", 0o755) == 0)
      close(unsafe open(scratch + "/d/socket", O_CREAT | O_WRONLY, 0o600))
      let path = scratch + "/d/socket"
      #expect(failure(path) == .failed("bind \(path)", errno: EADDRINUSE))
      #expect(unsafe access(path, F_OK) == 0)
    }
  }

  @Test func relativePathAndMissingParentAreRefused() {
    #expect(failure("d/socket") == .relative("d/socket"))
    #expect(
      failure("/nowhere/at/all/socket") == .failed("mkdir /nowhere/at/all", errno: ENOENT)
    )
  }
}
