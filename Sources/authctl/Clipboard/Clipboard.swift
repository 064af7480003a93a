import Glibc
import LocalAuthCore
import LocalAuthJSON
import LocalAuthSecret
import LocalAuthUnix

/// A place to paste a secret from, instead of standard output.
struct Clipboard {
  static let clipboard = Flag(
    "clipboard",
    help: "put it on the clipboard of the session instead of printing it"
  )
  static let terminal = Flag(
    "osc52",
    help: "put it on the clipboard of the terminal, which is not cleared"
  )
  static let clearAfter = Option<Duration>(
    "clear-after",
    "DURATION",
    default: "45s",
    help: "when the session's clipboard is cleared if it still holds it"
  )

  static var options: [OptionDeclaration] {
    [clipboard.declaration, terminal.declaration, clearAfter.declaration]
  }
  static let exclusions = [["clipboard", "osc52"]]

  private enum Place {
    case session(ClipboardPrograms)
    case terminal
  }

  private let place: Place
  private let seconds: Int64

  /// Finds the clipboard that the options ask for, before anybody is asked for a proof; nil if they
  /// ask for none.
  init?(_ context: VerbContext) throws(Failure) {
    let arguments = context.arguments
    seconds = arguments[Self.clearAfter].components.seconds
    guard (1...86_400).contains(seconds) else {
      throw Failure(.usage, "'--clear-after' is a time from 1s to 24h.")
    }
    if arguments[Self.terminal] {
      place = .terminal
    } else if arguments[Self.clipboard] {
      do throws(ClipboardPrograms.Missing) {
        place = .session(try ClipboardPrograms(in: context.environment))
      } catch {
        throw Failure(.badConfiguration, Self.advice(for: error))
      }
    } else {
      return nil
    }
  }

  private static func advice(for missing: ClipboardPrograms.Missing) -> String {
    switch missing {
    case .session:
      "There is no session with a clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set. "
        + "Some terminals have one: --osc52."
    case .program(let package):
      "The clipboard needs \(package), which is not there. Install it: apt install \(package)"
    }
  }

  /// Puts the secret there, and returns what to say about it.
  func take(_ held: HeldSecret) throws(Failure) -> String {
    guard held.secret.count > 0 else {
      return "The secret is empty, so the clipboard stays as it is."
    }
    switch place {
    case .session(let programs):
      guard keep(held, programs) else {
        throw Failure(.badConfiguration, "The clipboard cannot be reached; nothing was put there.")
      }
      return "On the clipboard, which is cleared after \(DurationText.words(.seconds(seconds)))."
    case .terminal:
      try send(held)
      return "Sent to the clipboard of the terminal, if it has one. It stays there."
    }
  }

  /// Starts the process that keeps the secret on the clipboard, and waits until it does.
  private func keep(_ held: HeldSecret, _ programs: ClipboardPrograms) -> Bool {
    signal(SIGPIPE, SIG_IGN)
    guard var given = SecretPipe(), var told = SecretPipe() else { return false }
    let request = SpawnRequest(
      executable: "/proc/self/exe",
      arguments: [ClipboardKeeper.word, "\(seconds)"],
      environment: programs.environment,
      descriptors: [.duplicate(of: given.output), .duplicate(of: told.input), .null]
    )
    guard (try? ChildProcess.spawnDetached(request)) != nil else { return false }
    given.closeOutput()
    told.closeInput()
    guard SecretPipe.write(held.secret, to: given.input, within: 5000) else { return false }
    given.closeInput()
    var byte: UInt8 = 0
    // SAFETY: the byte lives for the call, which ends when the process does.
    return unsafe read(told.output, &byte, 1) == 1 && byte == ClipboardKeeper.ready
  }

  /// Sends the sequence OSC 52 to the terminal, composed in secret memory.
  private func send(_ held: HeldSecret) throws(Failure) {
    var sequence = Secret(capacity: held.secret.count / 3 * 4 + 64)
    for byte in "\u{1B}]52;c;".utf8 { _ = sequence.append(byte) }
    do throws(JSONWriteError) {
      // SAFETY: the writer stays within the memory and keeps no pointer to it.
      try unsafe sequence.withUnsafeMutableBytes { (room, used) throws(JSONWriteError) in
        // The writer puts quotes around the text: the last byte before it is set anew, and the end
        // of the sequence takes the place of the second.
        let inside = unsafe UnsafeMutableRawBufferPointer(rebasing: room[(used - 1)...])
        let count = try unsafe JSONWriter.write(into: inside) { writer in
          unsafe held.secret.withUnsafeBytes { unsafe writer.secretBase64(bytes: $0) }
        }
        unsafe inside[0] = UInt8(ascii: ";")
        unsafe inside[count - 1] = 0x07
        used += count - 1
      }
    } catch {
      throw Failure(.internalError, "The secret cannot be written in base64.")
    }
    // SAFETY: the string is a C string for the call.
    let number = unsafe open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else { throw Failure(.notInteractive, "There is no terminal to send it to.") }
    let terminal = FileDescriptor(owning: number)
    guard SecretPipe.write(sequence, to: terminal.rawValue, within: 5000) else {
      throw Failure(.internalError, "The terminal did not take the secret.")
    }
  }
}
