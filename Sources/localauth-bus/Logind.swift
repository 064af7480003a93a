import LocalAuthUnix

/// What logind tells: whether the lid is closed, and when the machine sleeps.
///
/// Without logind the lid counts as open and the machine as awake.
final class Logind {
  /// Called when the lid may have been opened or closed.
  var onLid: (_ isClosed: Bool) -> Void = { _ in }
  /// Called when the machine is about to sleep, and when it is awake again.
  var onSleep: (_ isAsleep: Bool) -> Void = { _ in }
  private let bus: SystemBus
  private lazy var look = SingleFlight { [unowned self] answered in askForLid(answered) }
  /// Delays the sleep until it is closed, so that a scan can be ended before.
  private var inhibitor: FileDescriptor?

  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let changes =
    "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"

  init(on bus: SystemBus) { self.bus = bus }

  func start() {
    bus.listen(
      to: Self.service,
      "path='\(Self.path)',interface='\(Self.manager)',member='PrepareForSleep'"
    ) { [weak self] message in
      guard let self, let isAsleep = message.flag() else { return }
      onSleep(isAsleep)
      if !isAsleep { inhibit() }
    }
    // logind itself does not say when the lid moves; UPower does.
    bus.listen(
      to: "org.freedesktop.UPower",
      "path='/org/freedesktop/UPower',\(Self.changes)"
    ) { [weak self] _ in self?.lookAtLid() }
    bus.listen(to: Self.service, "path='\(Self.path)',\(Self.changes)") { [weak self] _ in
      self?.lookAtLid()
    }
    inhibit()
    lookAtLid()
  }

  /// Asks whether the lid is closed, and tells.
  func lookAtLid(then body: @escaping () -> Void = {}) { look.run(then: body) }

  private func askForLid(_ answered: @escaping () -> Void) {
    bus.property("LidClosed", Self.manager, of: Self.service, Self.path, limit: .seconds(1)) {
      [weak self] value in
      self?.onLid(value?.variant("b") { $0.flag() } ?? false)
      answered()
    }
  }

  /// Lets the machine sleep.
  func letSleep() { inhibitor = nil }

  /// Taken long before it is needed: when the machine is about to sleep it would be too late.
  private func inhibit() {
    let method = BusMethod(
      service: Self.service,
      path: Self.path,
      interface: Self.manager,
      member: "Inhibit"
    )
    let arguments = ["sleep", "localauth", "A fingerprint reader is freed first.", "delay"]
    bus.call(method, arguments) { [weak self] result in
      self?.inhibitor = (try? result.get())?.descriptor()
    }
  }
}
