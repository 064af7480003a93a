import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct ReplacementProgramTests {
  private let scratch = ScratchDirectory()

  /// The path of what `words` name, or why there is none.
  private func find(
    _ words: [String],
    in path: String = ""
  ) -> Result<String, ReplacementProgram.Failure> {
    do throws(ReplacementProgram.Failure) {
      let program = try ReplacementProgram(
        words.map { Array($0.utf8) },
        searching: Array(path.utf8)
      )
      return .success(String(decoding: program.path, as: UTF8.self))
    } catch {
      return .failure(error)
    }
  }

  @Test func aPathIsTakenAsItIs() {
    #expect(find(["/bin/sh", "-c"]) == .success("/bin/sh"))
    #expect(find(["/bin/nowhere"]) == .failure(.notFound))
    #expect(find(["/bin/sh/x"]) == .failure(.notFound))
    #expect(find(["/bin"]) == .failure(.notRunnable(EISDIR)))
    #expect(find(["/etc/passwd"]) == .failure(.notRunnable(EACCES)))
    #expect(find(["/dev/null"]) == .failure(.notRunnable(EACCES)))
  }

  @Test func aNameIsLookedForAlongThePath() throws {
    scratch.write("", to: "tool", mode: 0o600)
    let other = ScratchDirectory()
    other.write("", to: "tool", mode: 0o700)
    #expect(find(["tool"], in: "/dev/null:\(other.path)") == .success(other.file("tool")))
    // One that cannot be run does not hide the next.
    let both = "\(scratch.path):\(other.path)"
    #expect(find(["tool"], in: both) == .success(other.file("tool")))
    #expect(find(["tool"], in: scratch.path) == .failure(.notRunnable(EACCES)))
    #expect(find(["tool"], in: "/dev/null") == .failure(.notFound))
    #expect(find(["tool"], in: "") == .failure(.notFound))
    #expect(find([""], in: other.path) == .failure(.notFound))
    #expect(find([], in: other.path) == .failure(.notFound))
  }

  @Test func theStatusesAreThoseOfShells() {
    #expect(ReplacementProgram.Failure.notFound.status == 127)
    #expect(ReplacementProgram.Failure.notRunnable(EACCES).status == 126)
  }

  @Test func aFileThatNoKernelRunsGoesToNoShell() throws {
    scratch.write("exit 0\n", to: "script", mode: 0o700)
    let program = try ReplacementProgram([Array(scratch.file("script").utf8)], searching: [])
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    // SAFETY: the array ends with nil and lives for the call, which fails.
    #expect(unsafe program.replaceProcess(environment: &environment) == .notRunnable(ENOEXEC))
  }
}
