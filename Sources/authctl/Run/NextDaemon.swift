import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthTerminal
import LocalAuthWire

/// Waiting for the daemon that follows one that ended.
extension VerbContext {
  /// Calls a method whose replies do not end, of this daemon and of each after it; `tell` gets each reply.
  ///
  /// What the next daemon does not tell before the device is unlocked is waited for too.
  func follow<Parameters: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Parameters, Reply>,
    _ parameters: Parameters,
    _ tell: (Reply) throws(Failure) -> Void
  ) throws(Failure) -> Never {
    var connection = try connect()
    var hasBegun = false
    while true {
      do throws(Failure) {
        try follow(&connection, method, parameters) { reply throws(Failure) in
          hasBegun = true
          try tell(reply)
        }
        connection = try connectToNextDaemon()
      } catch {
        guard hasBegun else { throw advised(error, on: try device()) }
        guard error.outcome == .itemLocked else { throw error }
        try Self.pause()
      }
    }
  }

  /// Gives each reply to `tell` until the daemon ends.
  private func follow<Parameters: WireObject, Reply: WireObject>(
    _ connection: inout DaemonConnection,
    _ method: RemoteMethod<Parameters, Reply>,
    _ parameters: Parameters,
    _ tell: (Reply) throws(Failure) -> Void
  ) throws(Failure) {
    func check(_ error: ClientError) throws(Failure) {
      guard case .unreachable = error else { throw Failure(error, typed: typed()) }
    }
    do throws(ClientError) { try connection.begin(method, parameters) } catch {
      return try check(error)
    }
    while true {
      let reply: Reply
      do throws(ClientError) { reply = try connection.next(method).reply } catch {
        return try check(error)
      }
      try tell(reply)
    }
  }

  /// Writes a line about what was followed: a sentence, or an object.
  func tell(
    _ sentence: String,
    _ members: @escaping (inout JSONWriter<JSONGrowingBuffer>) -> Void
  ) throws(Failure) {
    let isWritten =
      output.wantsJSON
      ? output.writeLine(Report(sentence, members: members))
      : output.write(TerminalText.sanitized(sentence, limit: 4096) + "\n")
    guard isWritten else { throw .unwritableOutput }
  }

  /// Says that the daemon ended, waits for the next one and connects to it; starts none, because
  /// somebody may have ended the last one on purpose.
  func connectToNextDaemon() throws(Failure) -> DaemonConnection {
    if !output.isQuiet { output.say("The daemon ended; waiting for the next.") }
    let address = try address()
    while true {
      do throws(ClientError) {
        return try address.connectToRunning()
      } catch {
        guard case .unreachable = error else { throw Failure(error, typed: typed()) }
      }
      try Self.pause()
    }
  }

  /// Waits for a second; throws if nobody reads standard output any more.
  private static func pause() throws(Failure) {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    // SAFETY: the one entry outlives the call.
    guard unsafe poll(&output, 1, 1000) > 0 else { return }
    throw .unwritableOutput
  }
}

extension Failure {
  /// Nobody reads what is written.
  static let unwritableOutput = Failure(
    .internalError,
    "Standard output cannot be written to."
  )
}
