import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

/// Tests of what a process has only once, its signals and its prompt, one after the other.
@Suite(.serialized) enum OnePrompt {}

/// Closes the user's end.
func hangUp(_ pty: consuming PseudoTerminal) {
  _ = consume pty
}

/// A session on `/dev/tty`, which is made to be the terminal at `path`.
func controllingSession(_ path: String) throws -> PromptSession {
  setsid()
  // SAFETY: the string lives for the call. A session's first terminal becomes its controlling one.
  _ = unsafe open(path, O_RDWR)
  return try PromptSession(
    terminal: Terminal(),
    style: PromptStyle(hasColor: false, movesCursor: true)
  )
}
