import LocalAuthWire

/// Answers one method: reads the parameters before it returns, and answers then or later.
typealias MethodHandler = (Server, CallParameters, Responder) throws(WireError) -> Void

/// Every method of every interface, by its full name.
enum MethodHandlers {
  static func handler(of method: String) -> MethodHandler? { unsafe table[method] }

  /// The full names, for the test that holds them against the interface descriptions.
  static var names: [String] { unsafe Array(table.keys) }

  // Built once, before the first call, on the loop's thread; the handlers capture nothing.
  private nonisolated(unsafe) static let table: [String: MethodHandler] = {
    var table: [String: MethodHandler] = [:]
    let interfaces = [
      (ServiceMessages.interface, serviceMethods),
      (AuthenticationMessages.interface, authenticationMethods),
      (AgentMessages.interface, agentMethods),
      (AssertionMessages.interface, assertionMethods),
      (GrantMessages.interface, grantMethods),
      (KeychainMessages.interface, keychainMethods),
      (DeviceMessages.interface, deviceMethods),
      (SensorMessages.interface, sensorMethods),
      (PolicyMessages.interface, policyMethods),
    ]
    for (interface, methods) in interfaces {
      for (name, handler) in methods { table["\(interface).\(name)"] = handler }
    }
    return table
  }()
}
