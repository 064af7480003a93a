import LocalAuthCore

/// One of two programs that ask at the same time.
public enum Client: UInt8, CaseIterable, Hashable, Sendable {
  case first
  case second
}

/// What a request wants of earlier successes.
public struct Wish: Hashable, Sendable {
  /// As which caller it asks: grants of one do not answer the other.
  public var scope: UInt8
  /// How old a proof may be.
  public var maxAge: Duration
  /// How often this success may answer again.
  public var uses: UInt32?

  /// The wish with these values.
  public init(scope: UInt8, maxAge: Duration, uses: UInt32? = nil) {
    self.scope = scope
    self.maxAge = maxAge
    self.uses = uses
  }
}

/// What a program asks for.
public struct Request: Hashable, Sendable {
  /// What earlier successes may do for it, or nil for nothing.
  public var wish: Wish?
  /// Whether it unlocks the device, so that this success stands in for a touch.
  public var isUnlock: Bool
  /// Whether an unlock by finger may stand in for a touch.
  public var takesUnlock: Bool

  /// The request with these values; without any it wants a person.
  public init(wish: Wish? = nil, isUnlock: Bool = false, takesUnlock: Bool = false) {
    self.wish = wish
    self.isUnlock = isUnlock
    self.takesUnlock = takesUnlock
  }
}

/// What the owner does to the device with the passcode.
public enum Act: CaseIterable, Hashable, Sendable {
  /// Changes the enrolled fingers.
  case fingers
  /// Changes the passcode.
  case passcode
  /// Anything that only has the passcode judged.
  case other
}

/// How a commit ends.
public enum CommitEnd: CaseIterable, Hashable, Sendable {
  /// It is durable.
  case durable
  /// It failed, and nothing of it is there.
  case failed
  /// It failed, and it is there all the same after a restart.
  case failedButKept
}

/// Something that the environment does, in any order.
public enum Event: Hashable, Sendable {
  /// A program asks for the policy.
  case request(Client, Request)
  /// A finger is laid on the sensor for the evaluation at the prompt.
  case touch(isRight: Bool)
  /// A passcode is typed at the prompt, or PAM's question is answered.
  case passcode(isRight: Bool)
  /// The passcode is asked for instead of the finger.
  case fallback
  /// The sensor gives up.
  case fault
  /// A program's evaluation is ended from outside.
  case cancel(Client)
  /// The oldest commit under way ends.
  case commit(CommitEnd)
  /// The verdict on a passcode comes, for the n-th that is being judged.
  case verdict(Int)
  /// PAM ends the n-th conversation, which nobody answered, with a refusal of its own.
  case refusal(Int)
  /// Everything under way completes.
  case settle
  /// The owner, or somebody who guesses, changes something of the device.
  case act(Act, isRight: Bool)
  /// The device is locked.
  case lock
  /// All grants are revoked.
  case revoke
  /// So much time passes.
  case pass(Duration)
  /// The wall clock jumps by so much, back or ahead.
  case wall(Duration)
  /// The simulated device restarts.
  case reboot
  /// The service is killed and starts again; so many commits under way were durable. With
  /// `isReboot` the machine restarts too.
  case crash(kept: Int, isReboot: Bool)
}
