import LocalAuthWire

/// What answers a method of the table.
struct Handler: Sendable {
  let method: any AnyMethod
  /// Reads the parameters, lets the call through where its caller may make it, and answers, then or
  /// later.
  let run: @Sendable (borrowing Call) throws(WireError) -> Void

  /// Answers `method` with `body`, which is run only for a call that was let through.
  init<Parameters: SendableMetatype, Reply>(
    _ method: Method<Parameters, Reply>,
    _ body: @escaping @Sendable (Parameters, borrowing Call) throws(WireError) -> Void
  ) {
    self.method = method
    run = { (call: borrowing Call) throws(WireError) in
      try body(try call.read(Parameters.self), call)
    }
  }

  static let all =
    ServiceMethods.handlers + AuthenticationMethods.handlers + AgentMethods.handlers
    + AssertionMethods.handlers + GrantMethods.handlers + KeychainMethods.handlers
    + DeviceMethods.handlers + SensorMethods.handlers + PolicyMethods.handlers

  /// The handlers by the full names of their methods; each method must have one.
  static func byName() -> [String: Handler] {
    let handlers = Dictionary(uniqueKeysWithValues: all.map { ($0.method.name, $0) })
    for method in Methods.all {
      precondition(handlers[method.name] != nil, "\(method.name) has no handler")
    }
    precondition(handlers.count == Methods.all.count, "a handler is of no method of the table")
    return handlers
  }
}
