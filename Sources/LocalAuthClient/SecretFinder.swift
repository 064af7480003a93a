import LocalAuthWire

/// Asks a message whether it carries a secret, so that nobody has to remember which messages do.
struct SecretFinder: FieldMapper, ~Copyable {
  private var found = false

  /// Whether `message` has a secret that is there.
  static func holdsSecret(_ message: some WireObject) -> Bool {
    var copy = message
    var finder = SecretFinder()
    // A finder has nothing to object to.
    try? copy.map(&finder)
    return finder.found
  }

  mutating func required<Value: WireValue>(_ name: StaticString, _ value: inout Value) {
    if Value.self == WireSecret.self { found = true }
  }

  mutating func optional<Value: WireValue>(_ name: StaticString, _ value: inout Value?) {
    if value != nil, Value.self == WireSecret.self { found = true }
  }
}
