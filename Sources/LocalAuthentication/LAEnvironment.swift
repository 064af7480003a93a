// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuth
import LocalAuthEmbedded
import Synchronization

/// The mechanisms of proof on the device.
public final class LAEnvironment: NSObject, Sendable {
  fileprivate let device: CurrentDevice

  private init(_ device: CurrentDevice) {
    self.device = device
    super.init()
  }

  /// The environment of the device that the task, the process or the environment variables select
  /// now.
  public static var currentUser: LAEnvironment { LAEnvironment(.meant) }

  /// The current state; blocks for one exchange with the service.
  ///
  /// A device that cannot be queried has no mechanisms.
  public var state: State { State(try? device.device.mechanisms()) }

  /// Calls the observer after each change from now on.
  ///
  /// Changes are noticed through the device's audit: changes of fingers or passcode, locks of the
  /// device, and misses once their evaluation has ended. Unplugging a sensor shows only with the
  /// next of these. The calls end when the current service ends.
  ///
  /// - Parameter observer: called on a dedicated thread; not retained.
  public func addObserver(_ observer: any Observer) {
    Observation.endReleased(and: ObjectIdentifier(observer))
    let observation = Observation(observer, of: self)
    let watch = try? DeviceWatch(device.device) { [weak observation] in observation?.look() }
    guard let watch else { return }
    observation.begin(watch)
    Observation.all.withLock { $0[ObjectIdentifier(observer)] = observation }
  }

  /// Ends the calls of an observer, without waiting for a call in progress.
  public func removeObserver(_ observer: any Observer) {
    Observation.endReleased(and: ObjectIdentifier(observer))
  }

  /// Observes changes of an environment's state.
  public protocol Observer: AnyObject {
    /// Called after each change.
    ///
    /// - Parameters:
    ///   - environment: the environment that changed; its state is the new one.
    ///   - oldState: the state before the change.
    func environment(
      _ environment: LAEnvironment,
      stateDidChangeFromOldState oldState: LAEnvironment.State
    )
  }

  /// A snapshot of an environment's mechanisms.
  public final class State: NSObject, NSCopying, Sendable {
    private let mechanisms: DeviceMechanisms?

    init(_ mechanisms: DeviceMechanisms?) {
      self.mechanisms = mechanisms
      super.init()
    }

    /// The sensor; nil if there is none.
    public var biometry: MechanismBiometry? {
      mechanisms.flatMap { $0.hasSensor ? MechanismBiometry($0) : nil }
    }

    /// The passcode; nil if the device cannot be queried.
    public var userPassword: MechanismUserPassword? { mechanisms.map { MechanismUserPassword($0) } }

    /// The paired devices, of which there are never any.
    public var companions: [MechanismCompanion] { [] }

    /// All mechanisms.
    public var allMechanisms: [Mechanism] {
      [biometry as Mechanism?, userPassword].compactMap { $0 }
    }

    /// Returns the object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether `object` is a state with the same mechanisms.
    public override func isEqual(_ object: Any?) -> Bool {
      (object as? State)?.mechanisms == mechanisms
    }

    /// Equal for equal states.
    public override var hash: Int { mechanisms.hashValue }
  }
}

extension LAEnvironment.Observer {
  /// Does nothing, so that implementing it is optional.
  public func environment(
    _ environment: LAEnvironment,
    stateDidChangeFromOldState oldState: LAEnvironment.State
  ) {}
}

/// One observer of a device.
private final class Observation: @unchecked Sendable {
  // @unchecked: the observer is called only on the watch's thread, as its protocol documents, and
  // elsewhere serves only as a key.
  static let all = Mutex<[ObjectIdentifier: Observation]>([:])

  private weak let observer: (any LAEnvironment.Observer)?
  private let environment: LAEnvironment
  private let state: Mutex<(seen: LAEnvironment.State, watch: DeviceWatch?)>

  init(_ observer: any LAEnvironment.Observer, of environment: LAEnvironment) {
    self.observer = observer
    self.environment = environment
    state = Mutex((environment.state, nil))
  }

  /// Ends the observations whose observers were released, and that of `observer` if given.
  static func endReleased(and observer: ObjectIdentifier? = nil) {
    let ended = all.withLock { all in
      let ended = all.filter { $0.key == observer || $0.value.observer == nil }
      for key in ended.keys { all[key] = nil }
      return ended
    }
    // The watches end here, outside the lock.
    withExtendedLifetime(ended) {}
  }

  func begin(_ watch: DeviceWatch) { state.withLock { $0.watch = watch } }

  /// Calls the observer if the state has changed.
  func look() {
    guard let observer else { return Self.endReleased() }
    let now = environment.state
    let old = state.withLock { state in
      defer { state.seen = now }
      return state.seen
    }
    guard old != now else { return }
    environment.device.use {
      observer.environment(environment, stateDidChangeFromOldState: old)
    }
  }
}
