import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthWire

/// The report of a keychain verb.
struct KeychainReport {
  let context: VerbContext
  let device: DeviceChoice
  let answer: RemoteAnswer

  /// Returns the report of an answer.
  ///
  /// A success has the message `done`, and the members that `members` writes.
  func report(
    _ done: String,
    answer lines: [String] = [],
    members: @escaping Report.Members = { _ in }
  ) -> Report {
    let isDone = answer.outcome == .success
    let message = isDone ? done : [answer.message, advice].compactMap { $0 }.joined(separator: " ")
    var report = Report(answer.outcome, message) { [self] in
      write(&$0)
      if isDone { members(&$0) }
    }
    report.remark = isDone ? remark(done) : message
    if isDone { report.answer = lines }
    checkScript(&report)
    return report
  }

  /// Returns the report with the secret of the requested item, or puts the secret on a clipboard.
  func secret(of item: RemoteItem?, to clipboard: Clipboard? = nil) throws(Failure) -> Report {
    var report = report("The item was opened.")
    // A prompt or proof is worth a line; an item that opens without one needs none.
    if answer.outcome == .success, answer.evaluation == nil, report.exit == 0 {
      report.remark = nil
    }
    guard answer.outcome == .success, let item else { return report }
    let data = item.data?.take()
    if data == nil { report.remark = "The item has no secret." }
    let held = HeldSecret(data ?? Secret(capacity: 0))
    if let clipboard {
      report.remark = try clipboard.take(held)
      return report
    }
    guard context.output.wantsJSON else {
      report.secret = Self.shown(held)
      return report
    }
    report.secret = try json(report) { writer in
      writer.key("item")
      writer.beginObject()
      ItemText.write(item, to: &writer)
      writer.key("data")
      // SAFETY: the bytes are written within the call.
      unsafe held.secret.withUnsafeBytes { unsafe writer.secretBase64(bytes: $0) }
      writer.endObject()
    }
    return report
  }

  /// Returns the report with a one-time code, and for how many seconds it is valid.
  func code(
    _ held: HeldSecret,
    secondsLeft: Int64,
    to clipboard: Clipboard?
  ) throws(Failure) -> Report {
    let said = "The code is valid for \(secondsLeft) s."
    var report = report(said)
    if let clipboard {
      report.remark = try clipboard.take(held) + " " + said
      return report
    }
    guard context.output.wantsJSON else {
      report.secret = Self.shown(held)
      return report
    }
    report.secret = try json(report) { writer in
      writer.key("code")
      // SAFETY: the bytes are written within the call.
      unsafe held.secret.withUnsafeBytes { unsafe writer.secretString(bytes: $0) }
      writer.member("secondsLeft", secondsLeft)
    }
    return report
  }

  // MARK: For people

  /// Describes what a success required.
  private func remark(_ done: String) -> String {
    guard let evaluation = answer.evaluation else { return done }
    return done + " Proven: " + Report.praise(evaluation) + "."
  }

  private var advice: String? {
    var result = answer.evaluation ?? AuthenticationMessages.Result()
    result.outcome = answer.outcome.rawValue
    result.device = device.name ?? "default"
    guard let passwordAdvice else { return context.advice(for: result, device) }
    return [context.advice(for: result, device), passwordAdvice].compactMap { $0 }
      .joined(separator: " ")
  }

  /// How an application password is given where nobody can be asked for it; nil if one was.
  private var passwordAdvice: String? {
    let option = KeychainInvocation.applicationPassword
    guard answer.outcome == .notInteractive, context.arguments[option] == nil else { return nil }
    return "An item's application password is given with \(option.declaration.spelling)."
  }

  /// Marks the script as wrong if events are left over, or if nobody was asked.
  private func checkScript(_ report: inout Report) {
    let isGiven = context.arguments[EvaluateVerb.script] != nil
    let left = answer.evaluation?.scriptEventsLeft ?? 0
    let isUnused = isGiven && answer.evaluation == nil && answer.outcome == .success
    guard left > 0 || isUnused, Report.reachesScript(answer.outcome) else { return }
    report.exit = OutcomeCode.scriptEventsLeftOver.exit
    let events = CountText.of(left, "script event was", "script events were")
    let why = isUnused ? "nobody was asked, so the script was not used" : "\(events) left over"
    report.remark = "\(report.remark ?? report.message) (\(why))"
  }

  /// Returns the bare secret, with a line end on a terminal so that the shell's prompt gets its own
  /// line.
  static func shown(_ held: HeldSecret) -> HeldSecret {
    guard isatty(STDOUT_FILENO) != 0 else { return held }
    var line = Secret(capacity: held.secret.count + 1)
    // SAFETY: the bytes are copied within the call.
    unsafe held.secret.withUnsafeBytes { bytes in
      for index in bytes.indices { _ = unsafe line.append(bytes[index]) }
    }
    _ = line.append(UInt8(ascii: "\n"))
    return HeldSecret(line)
  }

  // MARK: For programs

  /// Writes the members that every keychain verb has.
  private func write<Sink: ~Copyable>(_ writer: inout JSONWriter<Sink>) {
    writer.member("device", device.name ?? "default")
    writer.member("status", Int64(answer.status.rawValue))
    writer.key("authentication")
    guard let evaluation = answer.evaluation else { return writer.null() }
    writer.beginObject()
    writer.member("outcome", evaluation.outcome)
    Report.write(evaluation, to: &writer)
    writer.endObject()
  }

  /// Returns the JSON object with secret members, composed in secret memory.
  private func json(
    _ report: Report,
    _ members: (inout JSONWriter<JSONFixedBuffer>) -> Void
  ) throws(Failure) -> HeldSecret {
    // Room for a frame of attributes and the data in base64, which exceeds any answer.
    var line = Secret(capacity: 2 * ClientLimits.answer)
    do throws(JSONWriteError) {
      // SAFETY: the writer stays within the memory and keeps no pointer to it.
      try unsafe line.withUnsafeMutableBytes { (room, used) throws(JSONWriteError) in
        let inside = unsafe UnsafeMutableRawBufferPointer(rebasing: room.dropLast())
        used = try unsafe JSONWriter.write(into: inside) { writer in
          writer.isShown = true
          writer.beginObject()
          report.writeHead(&writer)
          write(&writer)
          members(&writer)
          writer.endObject()
        }
      }
    } catch {
      throw Failure(.internalError, "The item cannot be written as JSON.")
    }
    _ = line.append(UInt8(ascii: "\n"))
    return HeldSecret(line)
  }

  private enum ClientLimits {
    /// The length of the daemon's longest frame in bytes, which limits the largest item.
    static let answer = WireLimits().frameBytesMax
  }
}
