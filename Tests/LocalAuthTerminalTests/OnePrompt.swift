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
  try PromptSession(
    terminal: controllingTerminal(path),
    style: PromptStyle(hasColor: false, movesCursor: true)
  )
}

/// A screen on `/dev/tty`, which is made to be the terminal at `path`.
func controllingScreen(_ path: String) throws -> ScreenSession {
  try ScreenSession(terminal: controllingTerminal(path))
}

private func controllingTerminal(_ path: String) throws -> Terminal {
  setsid()
  // SAFETY: the string lives for the call. A session's first terminal becomes its controlling one.
  _ = unsafe open(path, O_RDWR)
  return try Terminal()
}
