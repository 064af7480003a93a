import LocalAuthCore

extension Event: CustomStringConvertible {
  /// The event in words, as a step of a trace.
  public var description: String {
    switch self {
    case .request(.first, let request): "a program asks\(request.words)"
    case .request(.second, let request): "another program asks\(request.words)"
    case .touch(let isRight): "a finger \(isRight ? "that is" : "that is not") enrolled is laid on"
    case .passcode(let isRight): "\(isRight ? "the right" : "a wrong") passcode is given"
    case .fallback: "the person asks for the passcode instead"
    case .fault: "the sensor gives up"
    case .cancel(.first): "the program's evaluation is cancelled"
    case .cancel(.second): "the other program's evaluation is cancelled"
    case .timeout(.first): "nobody answers the program's evaluation in time"
    case .timeout(.second): "nobody answers the other program's evaluation in time"
    case .stray: "a finger is laid on for the evaluation that waits"
    case .question: "PAM asks a further question"
    case .agent(.admits): "there is an agent"
    case .agent(.refuses): "there is no agent"
    case .agent(.shows): "the agent shows the prompt"
    case .agent(.hides): "the agent shows the prompt no longer"
    case .commit(.durable): "the oldest commit under way is durable"
    case .commit(.failed): "the oldest commit under way fails"
    case .commit(.failedButKept):
      "the oldest commit under way fails, and will be there all the same"
    case .verdict(let number): "verdict \(number + 1) on a passcode comes"
    case .refusal(let number): "PAM ends conversation \(number + 1) without an answer"
    case .word(let number, let word): "judge \(number + 1) by itself says \(word.words)"
    case .presence(.ready(let strength)): "a judge that is \(strength) can be asked"
    case .presence(.unplugged), .presence(.absent): "the judge is unplugged"
    case .presence(.hindered): "somebody else uses the judge"
    case .prints: "somebody enrols other prints at the reader"
    case .programs: "other programs judge from now on"
    case .settle: "everything under way completes"
    case .act(let act, let isRight):
      "\(act.words) is asked for with \(isRight ? "the right" : "a wrong") passcode"
    case .lock: "the device is locked"
    case .revoke: "all grants are revoked"
    case .pass(let time): "\(DurationText.format(time)) pass"
    case .wall(let time):
      time < .zero
        ? "the wall clock goes back by \(DurationText.format(.zero - time))"
        : "the wall clock jumps ahead by \(DurationText.format(time))"
    case .reboot: "the device is restarted"
    case .crash(let kept, let isReboot):
      "\(isReboot ? "the machine" : "the service") dies and starts again, "
        + "with \(kept) of the commits under way on the disk"
    }
  }
}

extension Word {
  fileprivate var words: String {
    switch self {
    case .touched: "that it is touched"
    case .match: "match"
    case .miss: "miss"
    case .failed: "that it cannot judge"
    }
  }
}

extension Act {
  fileprivate var words: String {
    switch self {
    case .fingers: "another set of fingers"
    case .passcode: "another passcode"
    case .removal: "no passcode"
    case .erase: "an erasure"
    case .other: "an administrative act"
    }
  }
}

extension Request {
  fileprivate var words: String {
    var parts: [String] = []
    if isOthers {
      parts.append("for user \(ModelState.owner + UInt32(other)), who is not the owner,")
    }
    if isUnlock { parts.append("to unlock") }
    if asksAgent { parts.append("by way of an agent") }
    if takesUnlock { parts.append("and takes an unlock by finger") }
    if let wish {
      parts.append("and takes a proof of the last \(DurationText.format(wish.maxAge))")
      if let uses = wish.uses { parts.append("and wants its own remembered for \(uses) uses") }
      if wish.scope != 0 { parts.append(Wish.scopes[Int(wish.scope)]) }
    }
    return parts.isEmpty ? "" : " " + parts.joined(separator: " ")
  }
}
