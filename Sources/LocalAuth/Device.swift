package import LocalAuthClient
package import LocalAuthUnix

/// Where a policy is evaluated: the user's own machine, or a simulated device.
///
/// A device that the program names counts even where it is simulated: whoever writes
/// `Device("sim")` knows. One that the environment alone chose counts only with
/// `LOCALAUTH_ALLOW_SIMULATED=1`. A value is cheap; nothing is opened before it is used.
public struct Device: Sendable {
  private let place: Result<Place, AuthError>

  private struct Place: Sendable {
    let choice: DeviceChoice
    let source: any ConnectionSource
  }

  /// The user's own machine, or what `LOCALAUTH_DEVICE` names instead.
  ///
  /// It is served by the user's daemon, which is started when it does not run. The environment is
  /// read here, once.
  public static var `default`: Device {
    Device(environment: .current) { () throws(AuthError) in try Self.daemon() }
  }

  /// The device of this name of the user's daemon.
  ///
  /// - Parameters:
  ///   - name: the name it was created with.
  ///   - home: where that daemon keeps its state; nil for the standard place.
  ///   - socket: where that daemon listens; nil for the standard place.
  public init(_ name: String, home: String? = nil, socket: String? = nil) {
    self.init { () throws(AuthError) in
      let source = try Self.daemon(home: home, socket: socket)
      return Place(choice: try Self.choice(named: name, .current), source: source)
    }
  }

  /// A device of the system's service, which serves every user of the machine.
  ///
  /// It is never started on demand, and no variable of the environment says where it is. Before a byte is
  /// sent, whoever serves the socket must be root or the account `localauth`.
  ///
  /// - Parameters:
  ///   - name: the name it was created with; nil for the user's own machine.
  ///   - user: the user whose device it is, which only root may say; nil for the caller.
  /// - Returns: the device; whether it is there shows when it is used.
  public static func system(_ name: String? = nil, user: UInt32? = nil) -> Device {
    Device { () throws(AuthError) in
      let source = try Self.systemService(user)
      return Place(choice: try Self.choice(named: name, .init(variables: [:])), source: source)
    }
  }

  private static func systemService(
    _ user: UInt32?
  ) throws(AuthError) -> any ConnectionSource {
    do throws(RuntimePathsError) {
      return try DaemonAddress(user: user)
    } catch {
      throw AuthError(error)
    }
  }

  /// The device called `name` of any service; nil is the user's own machine there.
  package init(_ name: String?, servedBy source: any ConnectionSource) {
    self.init { () throws(AuthError) in
      Place(choice: try Self.choice(named: name, .init(variables: [:])), source: source)
    }
  }

  /// The device that a choice made elsewhere names.
  package init(_ choice: DeviceChoice, servedBy source: any ConnectionSource) {
    place = .success(Place(choice: choice, source: source))
  }

  /// The device that `environment` chooses, of the service that `source` finds.
  package init(
    environment: ProcessEnvironment,
    _ source: () throws(AuthError) -> any ConnectionSource
  ) {
    self.init { () throws(AuthError) in
      Place(choice: try Self.choice(named: nil, environment), source: try source())
    }
  }

  /// No device at all; every use fails with `error`.
  package init(unusable error: AuthError) { place = .failure(error) }

  private init(_ body: () throws(AuthError) -> Place) {
    do throws(AuthError) {
      place = .success(try body())
    } catch {
      place = .failure(error)
    }
  }

  /// Which device, and where connections to its service come from.
  ///
  /// - Throws: why there is none, found when the value was made.
  package func resolved() throws(AuthError) -> (
    choice: DeviceChoice, source: any ConnectionSource
  ) {
    let place = try place.get()
    return (place.choice, place.source)
  }

  private static func daemon(
    home: String? = nil,
    socket: String? = nil
  ) throws(AuthError) -> any ConnectionSource {
    do throws(RuntimePathsError) {
      return DaemonAddress(paths: try RuntimePaths(home: home, socket: socket))
    } catch {
      throw AuthError(error)
    }
  }

  private static func choice(
    named name: String?,
    _ environment: ProcessEnvironment
  ) throws(AuthError) -> DeviceChoice {
    do throws(DeviceChoiceError) {
      return try DeviceChoice(named: name, environment: environment)
    } catch {
      throw AuthError(error)
    }
  }
}
