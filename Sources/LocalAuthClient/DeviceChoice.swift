import LocalAuthCore
public import LocalAuthUnix
public import LocalAuthWire

/// Which device is meant, who said so, and whether a simulated success counts on it.
///
/// A simulated success is never mistaken for a real one: it counts where the caller named the
/// device, and where the environment alone chose it only if it also says so, with
/// `LOCALAUTH_ALLOW_SIMULATED=1`.
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

  /// The device that the caller named, else the one of the environment, else the user's own machine.
  ///
  /// - Throws: ``DeviceChoiceError``, when the environment names something else than a device.
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

  /// The result as it may be believed.
  ///
  /// It is checked here once more, whatever the daemon made of the request: a simulated success that
  /// does not count becomes ``OutcomeCode/simulatedNotAllowed``.
  ///
  /// - Throws: ``ClientError/protocolError(_:)`` for a result that contradicts itself.
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

/// Why the environment's choice of a device cannot be followed.
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
