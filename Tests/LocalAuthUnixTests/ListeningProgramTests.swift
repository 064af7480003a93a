import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct ListeningProgramTests {
  private let scratch = ScratchDirectory()

  /// A program that accepts one connection after the other and answers each with its descriptors' environment.
  private static let script = """
    import os, socket
    s = socket.socket(fileno=3)
    while True:
      c, _ = s.accept()
      same = os.environ["LISTEN_PID"] == str(os.getpid())
      c.sendall(f"{os.environ['LISTEN_FDS']} {same} {os.environ.get('A')} {len(os.environ)}".encode())
      c.close()
    """

  private func start(_ script: String = script) throws -> ListeningProgram {
    try ListeningProgram(
      "/usr/bin/python3",
      arguments: ["-c", script],
      environment: ["A=b"],
      socketIn: try PrivateDirectory(opening: scratch.path)
    )
  }

  @Test func theProgramKnowsThatTheListenerIsMeantForIt() throws {
    let program = try start()
    let socket = try program.connect(isBlocking: true)
    // LISTEN_FDS, LISTEN_PID, PATH and A, and what Python adds of its own.
    #expect(text(of: socket.rawValue).hasPrefix("1 True b "))
  }

  @Test func nothingOfTheSocketIsLeftInTheDirectory() throws {
    let program = try start()
    _ = try program.connect()
    #expect(try PrivateDirectory(opening: scratch.path).holds(".\(getpid())") == false)
  }

  @Test func twoProgramsHaveListenersOfTheirOwn() throws {
    let one = try start("import time; time.sleep(3600)")
    let other = try start()
    let socket = try other.connect(isBlocking: true)
    #expect(text(of: socket.rawValue).hasPrefix("1 True"))
    _ = try one.connect()
  }

  @Test func aProgramThatAcceptsNothingBlocksNobody() throws {
    let program = try start("import time; time.sleep(3600)")
    var held: [Int32] = []
    defer { for number in held { close(number) } }
    var refused = false
    for _ in 0..<200 where !refused {
      do throws(SystemError) {
        held.append(try program.connect().release())
      } catch {
        refused = error.code == EAGAIN
      }
    }
    #expect(refused)
  }

  @Test func aProgramThatEndedRefuses() throws {
    var program = try start("pass")
    while try program.reap() == nil { usleep(1000) }
    let error = #expect(throws: SystemError.self) { _ = try program.connect().release() }
    #expect(error?.code == ECONNREFUSED)
  }

  @Test func whatIsNoProgramIsAnErrorAtOnce() throws {
    #expect(throws: SystemError.self) {
      let program = try ListeningProgram(
        "/nonexistent",
        arguments: [],
        socketIn: try PrivateDirectory(opening: scratch.path)
      )
      _ = program.pidfd
    }
  }
}
