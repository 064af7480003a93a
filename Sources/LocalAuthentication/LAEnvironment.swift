// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuth
import LocalAuthEmbedded
import Synchronization

/// What somebody could prove with on the device.
public final class LAEnvironment: NSObject, Sendable {
  fileprivate let device: CurrentDevice

  private init(_ device: CurrentDevice) {
    self.device = device
    super.init()
  }

  /// The environment of the device that the task, the process or the environment means now.
  public static var currentUser: LAEnvironment { LAEnvironment(.meant) }

  /// What is there now; blocks for one exchange with the service.
  ///
  /// A device that cannot be asked has nothing.
  public var state: State { State(try? device.device.mechanisms()) }

  /// Calls the observer after each change from now on.
  ///
  /// A change is heard of when the device's audit tells of it: fingers or a passcode that change, a
  /// lock of the device, misses once their evaluation has ended. A sensor that is only unplugged shows
  /// with the next of these. It ends with the service that runs now.
  ///
  /// - Parameter observer: called on a thread of its own; it is not kept.
  public func addObserver(_ observer: any Observer) {
    Observation.all.withLock { $0[ObjectIdentifier(observer)] = nil }
    let observation = Observation(observer, of: self)
    let watch = try? DeviceWatch(device.device) { [weak observation] in observation?.look() }
    guard let watch else { return }
    observation.begin(watch)
    Observation.all.withLock { $0[ObjectIdentifier(observer)] = observation }
  }

  /// Ends the calls of an observer; one that has begun is not waited for.
  public func removeObserver(_ observer: any Observer) {
    let removed = Observation.all.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) }
    // Ended here, outside the lock.
    withExtendedLifetime(removed) {}
  }

  /// Hears of changes.
  public protocol Observer: AnyObject {
    /// Called after each change.
    ///
    /// - Parameters:
    ///   - environment: what changed; its state is the new one.
    ///   - oldState: how it was before.
    func environment(
      _ environment: LAEnvironment,
      stateDidChangeFromOldState oldState: LAEnvironment.State
    )
  }

  /// What is there, as it was when it was asked for.
  public final class State: NSObject, NSCopying, Sendable {
    private let mechanisms: DeviceMechanisms?

    init(_ mechanisms: DeviceMechanisms?) {
      self.mechanisms = mechanisms
      super.init()
    }

    /// The sensor; nil where there is none.
    public var biometry: MechanismBiometry? {
      mechanisms.flatMap { $0.hasSensor ? MechanismBiometry($0) : nil }
    }

    /// The passcode; nil where the device cannot be asked.
    public var userPassword: MechanismUserPassword? { mechanisms.map { MechanismUserPassword($0) } }

    /// The paired devices, of which there are none.
    public var companions: [MechanismCompanion] { [] }

    /// All of them.
    public var allMechanisms: [Mechanism] {
      [biometry as Mechanism?, userPassword].compactMap { $0 }
    }

    /// The same object, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other is the state of a device with the same mechanisms.
    public override func isEqual(_ object: Any?) -> Bool {
      (object as? State)?.mechanisms == mechanisms
    }

    /// Equal for equal ones.
    public override var hash: Int { mechanisms.hashValue }
  }
}

extension LAEnvironment.Observer {
  /// Nothing happens: an observer need not hear anything.
  public func environment(
    _ environment: LAEnvironment,
    stateDidChangeFromOldState oldState: LAEnvironment.State
  ) {}
}

/// One observer of a device.
private final class Observation: @unchecked Sendable {
  // @unchecked: the observer is called on the watch's thread, as its protocol says, and is only
  // looked for elsewhere.
  static let all = Mutex<[ObjectIdentifier: Observation]>([:])

  private weak let observer: (any LAEnvironment.Observer)?
  private let environment: LAEnvironment
  private let state: Mutex<(seen: LAEnvironment.State, watch: DeviceWatch?)>

  init(_ observer: any LAEnvironment.Observer, of environment: LAEnvironment) {
    self.observer = observer
    self.environment = environment
    state = Mutex((environment.state, nil))
  }

  func begin(_ watch: DeviceWatch) { state.withLock { $0.watch = watch } }

  /// Tells the observer of a change, if there is one.
  func look() {
    guard let observer else { return state.withLock { $0.watch = nil } }
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
