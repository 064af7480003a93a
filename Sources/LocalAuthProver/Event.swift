public import LocalAuthCore

/// One of two programs that make requests at the same time.
public enum Client: UInt8, CaseIterable, Hashable, Sendable {
  case first
  case second
}

/// What a request accepts of earlier successes.
public struct Wish: Hashable, Sendable {
  /// The caller it asks as: grants of one caller do not answer another.
  public var scope: UInt8
  /// The maximum age of a proof.
  public var maxAge: Duration
  /// How many times this success may answer later requests.
  public var uses: UInt32?

  /// Creates the wish with these values.
  public init(scope: UInt8, maxAge: Duration, uses: UInt32? = nil) {
    self.scope = scope
    self.maxAge = maxAge
    self.uses = uses
  }
}

/// The request of a program.
public struct Request: Hashable, Sendable {
  /// The earlier successes it accepts; nil for none.
  public var wish: Wish?
  /// Whether it unlocks the device, so that its success can replace a touch.
  public var isUnlock: Bool
  /// Whether an unlock by finger may replace a touch.
  public var takesUnlock: Bool
  /// Whether an agent shows its prompt, because the program cannot.
  public var asksAgent: Bool
  /// Which other user's program it is, from 1; 0 is the owner's.
  public var other: UInt8

  /// Whether it is another user's.
  var isOthers: Bool { other > 0 }

  /// Creates the request with these values; the defaults require a person.
  public init(
    wish: Wish? = nil,
    isUnlock: Bool = false,
    takesUnlock: Bool = false,
    asksAgent: Bool = false,
    other: UInt8 = 0
  ) {
    self.wish = wish
    self.isUnlock = isUnlock
    self.takesUnlock = takesUnlock
    self.asksAgent = asksAgent
    self.other = other
  }
}

/// An act of the owner on the device, authorized by the passcode.
public enum Act: CaseIterable, Hashable, Sendable {
  /// Changes the enrolled fingers.
  case fingers
  /// Changes the passcode.
  case passcode
  /// Removes the passcode.
  case removal
  /// Erases fingers, passcode and counts, which takes no passcode.
  case erase
  /// Any act that only has the passcode judged.
  case other
}

/// What an agent does with the prompt of a program.
public enum AgentWord: CaseIterable, Hashable, Sendable {
  case admits
  case refuses
  case shows
  case hides
}

/// The result of a commit.
public enum CommitEnd: CaseIterable, Hashable, Sendable {
  /// The commit is durable.
  case durable
  /// The commit failed and left nothing.
  case failed
  /// The commit failed, but its data is there after a restart.
  case failedButKept
}

/// An action of the environment; actions may come in any order.
public enum Event: Hashable, Sendable {
  /// A program asks for the policy to be evaluated.
  case request(Client, Request)
  /// A finger touches the sensor for the evaluation at the prompt.
  case touch(isRight: Bool)
  /// A passcode is typed at the prompt, or PAM's question is answered.
  case passcode(isRight: Bool)
  /// The person chooses the passcode instead of the finger.
  case fallback
  /// The sensor fails.
  case fault
  /// The evaluation of a program is cancelled from outside.
  case cancel(Client)
  /// Nobody answered the evaluation of a program in time.
  case timeout(Client)
  /// A finger is laid on for an evaluation that waits for the prompt.
  case stray
  /// The conversation of PAM's that was answered asks a further question.
  case question
  /// The agent of a program that has no prompt of its own does this.
  case agent(AgentWord)
  /// The oldest pending commit ends.
  case commit(CommitEnd)
  /// The verdict arrives for the n-th passcode being judged.
  case verdict(Int)
  /// PAM ends the n-th unanswered conversation with a refusal of its own.
  case refusal(Int)
  /// The n-th authenticator under way that judges by itself says this.
  case word(Int, Word)
  /// Authenticators that judge by themselves can be asked from now on, or no longer.
  case presence(SensorPresence)
  /// Somebody enrols other prints at the reader, past the device.
  case prints
  /// Other programs judge from now on.
  case programs
  /// Everything pending completes.
  case settle
  /// The owner, or someone who guesses the passcode, changes the device.
  case act(Act, isRight: Bool)
  /// The device is locked.
  case lock
  /// All grants are revoked.
  case revoke
  /// This much time passes.
  case pass(Duration)
  /// The wall clock jumps forward or back by this much.
  case wall(Duration)
  /// The simulated device restarts.
  case reboot
  /// The service is killed and restarts; the first `kept` pending commits were durable.
  ///
  /// With `isReboot` the machine restarts too.
  case crash(kept: Int, isReboot: Bool)
}
