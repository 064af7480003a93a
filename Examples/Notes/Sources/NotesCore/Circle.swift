/// How this device stands with the person's other devices.
public enum Circle: Equatable, Sendable {
  /// It is in no circle: it has its shared notes alone.
  case none
  /// What is shared comes and goes.
  case together
  /// What is shared stays where it is, for this reason.
  case troubled(CircleTrouble)
}

/// Why nothing comes and goes between devices.
public enum CircleTrouble: Equatable, Sendable {
  /// The hub did not answer, or did not do it; the system's words say why.
  case unreached(String)
  /// The hub is not believed, because of what it did: it shows an older copy, or changed something.
  case doubted([String])
  /// Another device removed this one.
  case removed
  /// What this device kept of its circle was changed or put back.
  case stateWasChanged
}

/// What is new between devices.
public enum CircleNews: Equatable, Sendable {
  case trouble(CircleTrouble)
  /// What was in the way is no more.
  case over
}
