import LocalAuthCore
public import LocalAuthUnix
public import LocalAuthWire

/// Which device is meant, who chose it, and whether a simulated success counts on it.
///
/// A simulated success never passes for a real one. It counts if the caller named the device,
/// otherwise only if `LOCALAUTH_ALLOW_SIMULATED=1` is set.
public struct DeviceChoice: Sendable, Equatable {
  /// Who chose the device.
  public enum Origin: Sendable, Equatable {
    /// The caller, in an argument or in code.
    case caller
    /// `LOCALAUTH_DEVICE`.
    case environment
    /// Nobody: the user's own machine.
    case standard
  }

  /// The device's name, or nil for the user's own machine.
  public let name: String?
  /// Who chose it.
  public let origin: Origin
  /// Whether a simulated success counts.
  public let allowsSimulated: Bool

  /// The device that the caller named, or else that of the environment, or else the user's own
  /// machine.
  ///
  /// - Throws: ``DeviceChoiceError`` if the environment names something other than a device.
  public init(
    named name: String?,
    environment: ProcessEnvironment = .current
  ) throws(DeviceChoiceError) {
    let isAllowed = environment["LOCALAUTH_ALLOW_SIMULATED"] == "1"
    if let name {
      self.name = name
      origin = .caller
      allowsSimulated = true
    } else if let variable = environment["LOCALAUTH_DEVICE"] {
      guard variable != "ephemeral", !variable.utf8.contains(UInt8(ascii: "/")) else {
        throw .notServed
      }
      self.name = variable
      origin = .environment
      allowsSimulated = isAllowed
    } else {
      self.name = nil
      origin = .standard
      allowsSimulated = isAllowed
    }
  }

  /// Returns `result`, with a simulated success that does not count refused.
  ///
  /// This is checked here again, however the daemon handled the request: such a success becomes
  /// ``OutcomeCode/simulatedNotAllowed``.
  ///
  /// - Throws: ``ClientError/protocolError(_:)`` for a result that contradicts itself or the
  ///   choice.
  public func checked(
    _ result: AuthenticationMessages.Result
  ) throws(ClientError) -> AuthenticationMessages.Result {
    guard let outcome = result.code else {
      throw .protocolError("an outcome that nobody knows")
    }
    guard Int64(outcome.exit) == result.exit else {
      throw .protocolError("an outcome with the status of another")
    }
    guard outcome == .success else { return result }
    if let name, result.device != name { throw .protocolError("a success on another device") }
    guard result.simulated, !allowsSimulated else { return result }
    return result.refused(as: .simulatedNotAllowed)
  }
}

/// Why the environment's choice of a device cannot be used.
public enum DeviceChoiceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// `LOCALAUTH_DEVICE` asks for an engine inside the process.
  case notServed

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .notServed:
      "LOCALAUTH_DEVICE asks for a device inside the program, which the daemon has none of: "
        + "set it to a device's name, or name one with --device"
    }
  }
}
