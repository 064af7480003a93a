package import LocalAuthClient
package import LocalAuthUnix

/// Where a policy is evaluated: the user's own machine, or a simulated device.
///
/// A simulated device counts if the program names it, as in `Device("sim")`. One chosen by the
/// environment alone counts only with `LOCALAUTH_ALLOW_SIMULATED=1`. A value is cheap; nothing is
/// opened before it is used.
public struct Device: Sendable {
  private let place: Result<Place, AuthError>

  private struct Place: Sendable {
    let choice: DeviceChoice
    let source: any ConnectionSource
  }

  /// The user's own machine, or the device that `LOCALAUTH_DEVICE` names instead.
  ///
  /// The user's daemon serves it and is started if it is not running. The environment is read once,
  /// when this is called.
  public static var `default`: Device {
    Device(environment: .current) { () throws(AuthError) in try Self.daemon() }
  }

  /// The user's daemon's device of this name.
  ///
  /// - Parameters:
  ///   - name: the name the device was created with.
  ///   - home: the directory of the daemon's state; nil for the standard one.
  ///   - socket: the path of the daemon's socket; nil for the standard one.
  public init(_ name: String, home: String? = nil, socket: String? = nil) {
    self.init { () throws(AuthError) in
      let source = try Self.daemon(home: home, socket: socket)
      return Place(choice: try Self.choice(named: name, .current), source: source)
    }
  }

  /// A device of the system service, which serves every user of the machine.
  ///
  /// The service is never started on demand, and no environment variable changes its address.
  /// Before anything is sent, the socket's peer must be root or the account `localauth`.
  ///
  /// - Parameters:
  ///   - name: the name the device was created with; nil for the user's own machine.
  ///   - user: the owner of the device, which only root may specify; nil for the caller.
  /// - Returns: the device. Whether it exists becomes known on its first use.
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

  /// The device called `name` of the service behind `source`; nil for the user's own machine there.
  package init(_ name: String?, servedBy source: any ConnectionSource) {
    self.init { () throws(AuthError) in
      Place(choice: try Self.choice(named: name, .init(variables: [:])), source: source)
    }
  }

  /// The device of a choice made elsewhere.
  package init(_ choice: DeviceChoice, servedBy source: any ConnectionSource) {
    place = .success(Place(choice: choice, source: source))
  }

  /// The device that `environment` chooses, of the service that `source` returns.
  package init(
    environment: ProcessEnvironment,
    _ source: () throws(AuthError) -> any ConnectionSource
  ) {
    self.init { () throws(AuthError) in
      Place(choice: try Self.choice(named: nil, environment), source: try source())
    }
  }

  /// A device on which every use fails with `error`.
  package init(unusable error: AuthError) { place = .failure(error) }

  private init(_ body: () throws(AuthError) -> Place) {
    do throws(AuthError) {
      place = .success(try body())
    } catch {
      place = .failure(error)
    }
  }

  /// The choice of device, and the source of connections to its service.
  ///
  /// - Throws: the error found when the value was created.
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
