import Glibc
import LocalAuthSecret
import LocalAuthUnix

/// The process that offers a secret to the session and clears the clipboard after a while.
///
/// It is this program once more, so that the verb can end. It has the secret from a pipe, and says
/// by one byte on standard output that the secret is offered.
enum ClipboardKeeper {
  /// The first word of its command line, which is no verb.
  static let word = "clipboard-keeper"
  /// What it says when the secret is offered.
  static let ready = UInt8(ascii: "1")

  /// How long a program of the clipboard may take, in milliseconds.
  private static let patience: Int32 = 5000
  /// How long a program that cannot reach the session may take to notice, in milliseconds.
  private static let grace: Int32 = 200

  /// Runs the process; `words` are its own word and the seconds until the clipboard is cleared.
  static func run(_ words: [String]) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    guard words.count == 2, let seconds = Int32(words[1]), (1...86_400).contains(seconds),
      let programs = try? ClipboardPrograms(in: .current),
      let secret = try? SecretFile.read(STDIN_FILENO), secret.count > 0,
      var owner = offer(secret, programs)
    else { return 1 }
    guard !waits(for: owner.pidfd, grace) else {
      // It has ended: the session cannot be reached.
      return 1
    }
    _ = SecretPipe.write(ready, to: STDOUT_FILENO)
    close(STDOUT_FILENO)
    // Somebody else may have taken the clipboard over, also a program that keeps its history.
    let end = Deadline.after(.seconds(Int64(seconds)))
    var isOffered = true
    while !end.hasPassed, isOffered {
      isOffered = !waits(for: owner.pidfd, Int32(clamping: end.wholeSeconds * 1000))
    }
    while !end.hasPassed { _ = waits(for: -1, Int32(clamping: end.wholeSeconds * 1000)) }
    if isOffered || holds(secret, programs) { clear(programs) }
    if !waits(for: owner.pidfd, grace) { owner.killGroup() }
    _ = try? owner.waitForExit()
    return 0
  }

  /// Starts the program that offers the secret; nil if it cannot be started.
  private static func offer(
    _ secret: borrowing Secret,
    _ programs: ClipboardPrograms
  ) -> ChildProcess? {
    guard var pipe = SecretPipe(),
      let child = try? ChildProcess.spawn(
        request(programs.copy, programs, [.duplicate(of: pipe.output), .null, .null])
      )
    else { return nil }
    pipe.closeOutput()
    guard SecretPipe.write(secret, to: pipe.input, within: patience) else { return nil }
    pipe.closeInput()
    return child
  }

  /// Whether the clipboard holds the secret.
  private static func holds(_ secret: borrowing Secret, _ programs: ClipboardPrograms) -> Bool {
    guard var pipe = SecretPipe(),
      let child = try? ChildProcess.spawn(
        request(programs.paste, programs, [.null, .duplicate(of: pipe.input), .null])
      )
    else { return false }
    pipe.closeInput()
    // A byte more than the secret has shows that there is something else.
    var pasted = Secret(capacity: secret.count + 1)
    while pasted.count < pasted.capacity, waits(for: pipe.output, patience) {
      // SAFETY: the read fills at most the room behind the bytes in use.
      let count = unsafe pasted.withUnsafeMutableBytes { room, used in
        let count = unsafe read(
          pipe.output,
          room.baseAddress.map { unsafe $0 + used },
          room.count - used
        )
        used += max(count, 0)
        return count
      }
      if count <= 0 { break }
    }
    child.killGroup()
    return pasted.isEqual(to: secret)
  }

  private static func clear(_ programs: ClipboardPrograms) {
    guard
      var child = try? ChildProcess.spawn(request(programs.clear, programs, [.null, .null, .null]))
    else { return }
    if waits(for: child.pidfd, patience) { _ = try? child.waitForExit() }
  }

  private static func request(
    _ call: ClipboardPrograms.Call,
    _ programs: ClipboardPrograms,
    _ descriptors: [SpawnRequest.Descriptor]
  ) -> SpawnRequest {
    SpawnRequest(
      executable: call.executable,
      arguments: call.arguments,
      environment: programs.environment,
      descriptors: descriptors
    )
  }

  /// Waits until a descriptor is readable; false if the time passes first.
  private static func waits(for descriptor: Int32, _ milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: the entry lives for the call.
    return unsafe poll(&entry, 1, milliseconds) > 0
  }
}
