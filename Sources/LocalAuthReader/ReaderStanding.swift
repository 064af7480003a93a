public import LocalAuthCore

/// Whether a reader can be asked, from what the bus tells.
public struct ReaderStanding: Hashable, Sendable {
  /// Whether the bus is connected and has a reader that may be used.
  public var hasReader = false
  /// Whether somebody else holds the reader.
  public var isBusy = false
  /// Whether the machine is about to sleep, or asleep.
  public var isAsleep = false
  /// Whether the lid is closed; false where that is not known.
  public var isLidClosed = false

  /// The standing before anything is known.
  public init() {}

  /// The state as a whole; what lasts longest comes first.
  public var state: AuthenticatorState {
    if isAsleep { return .suspended }
    if !hasReader { return .gone }
    if isLidClosed { return .lidClosed }
    return isBusy ? .busy : .available
  }

  /// The state as `Watch` of `io.localauth.Authenticator` names it.
  public var word: String { state.rawValue }

  /// Why the reader cannot be asked now; nil if it can.
  public var refusal: String? {
    state == .gone ? "There is no fingerprint reader." : state.hindrance?.sentence
  }
}
