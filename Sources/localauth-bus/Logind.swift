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
  /// Delays the sleep until it is closed, so that a scan can be ended before.
  private var inhibitor: FileDescriptor?

  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"

  init(on bus: SystemBus) { self.bus = bus }

  func start() {
    bus.listen(
      "type='signal',sender='\(Self.service)',path='\(Self.path)',interface='\(Self.manager)',"
        + "member='PrepareForSleep'"
    ) { [weak self] message in
      guard let self, let isAsleep = message.flag() else { return }
      onSleep(isAsleep)
      if !isAsleep { inhibit() }
    }
    // logind itself does not say when the lid moves; UPower does.
    bus.listen(
      "type='signal',sender='org.freedesktop.UPower',path='/org/freedesktop/UPower',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [weak self] _ in self?.lookAtLid() }
    bus.listen(
      "type='signal',sender='\(Self.service)',path='\(Self.path)',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [weak self] _ in self?.lookAtLid() }
    inhibit()
    lookAtLid()
  }

  /// Asks whether the lid is closed, and tells.
  func lookAtLid(then body: @escaping () -> Void = {}) {
    let get = BusMethod(
      service: Self.service,
      path: Self.path,
      interface: "org.freedesktop.DBus.Properties",
      member: "Get"
    )
    bus.call(get, [Self.manager, "LidClosed"], limit: .seconds(1)) { [weak self] result in
      self?.onLid((try? result.get())?.variant("b") { $0.flag() } ?? false)
      body()
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
