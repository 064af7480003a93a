import LocalAuthWire

/// The implementation of one method of the table.
struct Handler: Sendable {
  let method: any AnyMethod
  /// Reads the parameters, checks that the caller may make the call, and answers it, at once or
  /// later.
  let run: @Sendable (borrowing Call) throws(WireError) -> Void

  /// Answers `method` with `body`, which runs only for calls that are admitted.
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
    + DeviceMethods.handlers + DaemonMethods.handlers + SensorMethods.handlers
    + PolicyMethods.handlers + AuthenticatorMethods.handlers + FileMethods.handlers
    + BackupMethods.handlers + SyncMethods.handlers
    + KeyValueMethods.handlers + DocumentMethods.handlers + TableMethods.handlers

  /// The handlers by the full names of their methods; traps if a method has none.
  static func byName() -> [String: Handler] {
    let handlers = Dictionary(uniqueKeysWithValues: all.map { ($0.method.name, $0) })
    for method in Methods.all {
      precondition(handlers[method.name] != nil, "\(method.name) has no handler")
    }
    precondition(handlers.count == Methods.all.count, "a handler is of no method of the table")
    return handlers
  }
}
