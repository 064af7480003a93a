import LocalAuthCore
import LocalAuthCrypto
import LocalAuthReader
import LocalAuthWire

/// The methods of `io.localauth.Authenticator`.
extension BusWorker {
  /// What answers `io.localauth.Authenticator`.
  var handlers: [ProgramHandler] {
    [
      ProgramHandler(Methods.describeProgram) { [unowned self] _, responder in
        var reply = AuthenticatorMessages.DescribeReply()
        reply.version = ToolWords.version
        reply.kind = AuthenticatorKind.fingerprint.name
        reply.asks = AuthenticatorDescription.Asking.touch.rawValue
        reply.reportsPresence = options.reportsPresence
        reply.simulated = options.isSimulated
        reply.exclusive = options.isExclusive
        responder.reply(reply)
      },
      ProgramHandler(Methods.watchProgram) { [unowned self] _, responder in
        watchers.append(responder)
        var reply = AuthenticatorMessages.WatchReply()
        reply.state = standing.word
        responder.reply(reply, continues: true)
      },
      ProgramHandler(Methods.enrolledAtProgram) { [unowned self] call, responder in
        enrolled(call.user, responder)
      },
      ProgramHandler(Methods.armProgram) { [unowned self] call, responder in arm(call, responder) },
      ProgramHandler(Methods.answerProgram) { _, responder in
        responder.fail("\(AuthenticatorMessages.interface).NoSuchAttempt", "")
      },
      ProgramHandler(Methods.enrollAtProgram) { [unowned self] call, responder in
        enroll(call, responder)
      },
      ProgramHandler(Methods.removeAtProgram) { [unowned self] call, responder in
        remove(call, responder)
      },
    ]
  }

  private func enrolled(_ user: String, _ responder: ProgramResponder) {
    let answer = { [self] in
      fingers(of: user) { [self] result in
        switch result {
        case .success(let (fingers, all)):
          var reply = AuthenticatorMessages.EnrolledReply()
          reply.labels = fingers.sorted()
          reply.setToken = token(of: all)
          responder.reply(reply)
          answering.reset()
        case .failure(let error):
          refuse(responder, Fprint.sentence(error))
          if !error.name.hasPrefix(Fprint.errors) { offerAgain() }
        }
      }
    }
    // An attempt follows: by then it must be known whether the lid is closed.
    if let logind { logind.lookAtLid(then: answer) } else { answer() }
  }

  /// Stands for the prints at every reader, since any of them may be armed.
  private func token(of prints: [String]) -> String {
    let parts = ["\(counter.count)"] + prints
    return String(
      hexadecimal: MessageHash().sha256(of: Array(parts.joined(separator: "\u{0}").utf8))
    )
  }

  private func arm(_ call: AuthenticatorMessages.ArmCall, _ responder: ProgramResponder) {
    begin(.verify, of: call.user, for: responder) { [self] saying in
      var reply = AuthenticatorMessages.ArmReply()
      switch saying {
      case .armed: reply.armed = true
      case .touched:
        guard options.reportsPresence else { return }
        reply.touched = true
      case .retry(let acquisition): reply.retry = acquisition.word
      case .verdict(let isMatch):
        var verdict = AuthenticatorMessages.Verdict()
        verdict.attempt = call.attempt
        verdict.match = isMatch
        reply.verdict = verdict
        return responder.reply(reply)
      case .failed(let why): return refuse(responder, why)
      case .passed, .completed: return
      }
      responder.reply(reply, continues: true)
    }
  }

  private func enroll(_ call: AuthenticatorMessages.EnrollCall, _ responder: ProgramResponder) {
    guard let finger = Finger(rawValue: call.label) else {
      return refuse(responder, "The reader knows no such finger.")
    }
    begin(.enroll(finger), of: call.user, for: responder) { [self] saying in
      var reply = AuthenticatorMessages.EnrollReply()
      switch saying {
      case .passed(let stage, let stages):
        reply.stage = Int64(stage)
        reply.stages = Int64(stages)
      case .retry(let acquisition): reply.retry = acquisition.word
      case .completed:
        reply.completed = true
        return responder.reply(reply)
      case .failed(let why): return refuse(responder, why)
      case .armed, .touched, .verdict: return
      }
      responder.reply(reply, continues: true)
    }
  }

  private func remove(_ call: AuthenticatorMessages.RemoveCall, _ responder: ProgramResponder) {
    whenChosen(for: call.user) { [self] in
      guard let reader = chosen[call.user], use == nil,
        let removal = Removal(at: reader, bus: options.bus, on: loop)
      else {
        return refuse(responder, standing.refusal ?? SensorHindrance.busy.sentence)
      }
      removal.run(call.label, of: name(of: call.user)) { [self] refusal in
        counter.increment()
        tellWatchers()
        if let refusal {
          refuse(responder, refusal)
        } else {
          responder.reply(ServiceMessages.Empty())
        }
      }
    }
  }
}
