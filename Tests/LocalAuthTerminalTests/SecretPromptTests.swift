import CLocalAuthLinux
import Glibc
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

extension OnePrompt {
  @Suite struct SecretPromptTests {
    @Test func readsASecretWithoutShowingItsLength() async throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      let typist = try pty.answering([("New passcode: ", "hunter\u{1B}[A3\u{7F}2\r")])
      await #expect(processExitsWith: .success) { [path = pty.path as String] in
        var session = try controllingSession(path)
        let secret = try session.readSecret(prompt: "New passcode")
        exit(text(of: secret) == "hunter2" ? 0 : 1)
      }
      let screen = typist.screen + pty.screen()
      #expect(!screen.contains("*"))
      #expect(!screen.contains("hunter"))
      #expect(pty.modes == before)
    }

    @Test(arguments: [("one\r", 0), ("two\r", 1), ("\u{4}", 2), ("\u{1B}", 2)])
    func asksForANewSecretTwice(second: String, outcome: Int32) async throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      let typist = try pty.answering([("New: ", "one\r"), ("Again: ", second)])
      await #expect(processExitsWith: .exitCode(outcome)) {
        [path = pty.path as String] in
        var session = try controllingSession(path)
        let outcome: Int32
        do throws(SecretInputError) {
          outcome = try session.readNewSecret(prompt: "New", again: "Again").count == 3 ? 0 : 9
        } catch {
          outcome = error == .entriesDiffer ? 1 : error == .cancelled ? 2 : 9
        }
        session.end()
        exit(outcome)
      }
      _ = typist.screen
      #expect(pty.modes == before)
    }

    @Test(arguments: [
      ("y\r", 0), ("YES\r", 0), ("n\r", 1), ("\r", 1), ("yy\r", 1), ("\u{1B}", 2), ("\u{4}", 2),
    ])
    func goesOnOnlyWhenToldSo(answer: String, outcome: Int32) async throws {
      let pty = try PseudoTerminal()
      let typist = try pty.answering([("y or n: ", answer)])
      await #expect(processExitsWith: .exitCode(outcome)) { [path = pty.path as String] in
        var session = try controllingSession(path)
        let outcome: Int32
        do throws(SecretInputError) {
          outcome = try session.confirm("Everything will be lost.") ? 0 : 1
        } catch {
          outcome = error == .cancelled ? 2 : 9
        }
        session.end()
        exit(outcome)
      }
      #expect(typist.screen.contains("Everything will be lost."))
    }

    @Test(arguments: [("y\r", 0), ("no\r", 1), ("\u{1B}", 2), ("\u{4}", 2)])
    func asksAgainForWhatIsNeitherYesNorNo(answer: String, outcome: Int32) async throws {
      let pty = try PseudoTerminal()
      let typist = try pty.answering([("Go on? y or n: ", "yy\r"), ("Type y or n: ", answer)])
      await #expect(processExitsWith: .exitCode(outcome)) { [path = pty.path as String] in
        var session = try controllingSession(path)
        let outcome: Int32
        do throws(SecretInputError) {
          outcome = try session.decide("Somebody will be let in.") ? 0 : 1
        } catch {
          outcome = error == .cancelled ? 2 : 9
        }
        session.end()
        exit(outcome)
      }
      #expect(typist.screen.contains("Somebody will be let in."))
    }

    @Test func typedCtrlCIsASignal() async throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      let typist = try pty.answering([("Passcode: ", "12\u{3}")])
      await #expect(processExitsWith: .signal(SIGINT)) { [path = pty.path as String] in
        var session = try controllingSession(path)
        _ = try session.readSecret(prompt: "Passcode").count
      }
      _ = typist.screen
      #expect(pty.modes == before)
    }
  }
}
