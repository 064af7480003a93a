import CLocalAuthSystemd
import Glibc
import LocalAuthCore
import LocalAuthUnix

/// An error of the bus or of a service on it.
struct BusError: Error, CustomStringConvertible {
  /// The error's name, such as `net.reactivated.Fprint.Error.NoSuchDevice`.
  var name: String
  /// What it says.
  var message: String

  var description: String { message.isEmpty ? name : message }
}

/// A method of a service on the bus.
struct BusMethod {
  var service: String
  var path: String
  var interface: String
  var member: String
}

/// A connection to the system bus.
///
/// It belongs to the loop's thread. Every body is called from the loop, never within a call.
@safe
final class SystemBus {
  /// Called when the name of a service that is listened to has another owner.
  var onOwner: (_ service: String, _ old: String, _ new: String) -> Void = { _, _, _ in }
  /// Called once, when the connection is lost.
  var onGone: () -> Void = {}
  /// The main program keeps the loop until it ends.
  private unowned let loop: EventLoop
  private var bus: OpaquePointer?
  private var calls: [UInt64: BusListener] = [:]
  private var matches: [BusListener] = []
  private var lastCall: UInt64 = 0
  /// The services that are listened to, and the unique names of those that run.
  private var watched: Set<String> = []
  private var owners: [String: String] = [:]
  private var timer: TimerToken?
  private let descriptor: Int32

  /// Connects to the bus at `address`, or to the system's.
  init(at address: String?, on loop: EventLoop) throws(SystemError) {
    self.loop = loop
    var bus: OpaquePointer?
    if let address {
      try Self.check(unsafe sd_bus_new(&bus), "sd_bus_new")
      try Self.check(unsafe sd_bus_set_address(bus, address), "sd_bus_set_address")
      try Self.check(unsafe sd_bus_set_bus_client(bus, 1), "sd_bus_set_bus_client")
      try Self.check(unsafe sd_bus_start(bus), "sd_bus_start")
    } else {
      try Self.check(unsafe sd_bus_open_system(&bus), "sd_bus_open_system")
    }
    unsafe self.bus = bus
    descriptor = try Self.check(unsafe sd_bus_get_fd(bus), "sd_bus_get_fd")
    try loop.add(descriptor, interest: .readable) { [unowned self] _ in process() }
    watch()
  }

  deinit { close() }

  /// Ends the connection; nothing is heard of it any more.
  func close() {
    guard let open = unsafe bus else { return }
    unsafe bus = nil
    loop.remove(descriptor)
    if let timer { loop.cancel(timer) }
    calls = [:]
    matches = []
    unsafe sd_bus_close_unref(open)
  }

  /// Calls `method` with texts; `body` is called once, unless the connection is closed before.
  func call(
    _ method: BusMethod,
    _ arguments: [String] = [],
    limit: Duration = .seconds(25),
    then body: @escaping (Result<BusMessage, BusError>) -> Void
  ) {
    lastCall += 1
    let number = lastCall
    let listener = BusListener { [weak self] message in
      self?.calls[number] = nil
      body(message.error.map { .failure($0) } ?? .success(message))
    }
    do throws(SystemError) {
      try send(method, arguments, limit, listener)
      calls[number] = listener
    } catch {
      let failure = BusError(name: "org.freedesktop.DBus.Error.Failed", message: "\(error)")
      loop.onNextTurn { body(.failure(failure)) }
    }
    watch()
  }

  /// Asks for a property of an object; `body` is given the message with it, or nil if there is none.
  func property(
    _ name: String,
    _ interface: String,
    of service: String,
    _ path: String,
    limit: Duration = .seconds(5),
    then body: @escaping (BusMessage?) -> Void
  ) {
    let get = BusMethod(
      service: service,
      path: path,
      interface: "org.freedesktop.DBus.Properties",
      member: "Get"
    )
    call(get, [interface, name], limit: limit) { result in body(try? result.get()) }
  }

  /// Calls `body` with every signal of `service` that `rule` matches.
  ///
  /// A rule with a well-known name does not keep others from sending a signal to this connection alone, so
  /// its sender is compared with the name's owner.
  func listen(to service: String, _ rule: String, _ body: @escaping (BusMessage) -> Void) {
    if watched.insert(service).inserted { watchOwner(of: service) }
    match("type='signal',sender='\(service)',\(rule)") { [unowned self] message in
      guard let sender = message.sender, sender == owners[service] else { return }
      body(message)
    }
  }

  private func watchOwner(of service: String) {
    match(
      "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',"
        + "arg0='\(service)'"
    ) { [unowned self] message in
      // The bus itself is the only sender without a unique name.
      guard message.sender == Self.bus, message.text() == service, let old = message.text(),
        let new = message.text()
      else { return }
      owners[service] = new.isEmpty ? nil : new
      onOwner(service, old, new)
    }
    let getOwner = BusMethod(
      service: Self.bus,
      path: "/org/freedesktop/DBus",
      interface: Self.bus,
      member: "GetNameOwner"
    )
    call(getOwner, [service]) { [weak self] result in
      guard let self, let owner = (try? result.get())?.text() else { return }
      owners[service] = owner
    }
  }

  private static let bus = "org.freedesktop.DBus"

  private func match(_ rule: String, _ body: @escaping (BusMessage) -> Void) {
    guard let open = unsafe bus else { return }
    let listener = BusListener(body)
    let added = unsafe sd_bus_add_match_async(
      open,
      &listener.slot,
      rule,
      BusListener.handler,
      nil,
      listener.context
    )
    if added >= 0 { matches.append(listener) }
    watch()
  }

  private func send(
    _ method: BusMethod,
    _ arguments: [String],
    _ limit: Duration,
    _ listener: BusListener
  ) throws(SystemError) {
    guard let open = unsafe bus else { throw SystemError("call", code: ENOTCONN) }
    var message: OpaquePointer?
    try Self.check(
      unsafe sd_bus_message_new_method_call(
        open,
        &message,
        method.service,
        method.path,
        method.interface,
        method.member
      ),
      "sd_bus_message_new_method_call"
    )
    defer { unsafe sd_bus_message_unref(message) }
    for argument in arguments {
      // SAFETY: sd-bus copies the text during the call.
      let appended = unsafe argument.withCString { text in
        unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), text)
      }
      try Self.check(appended, "sd_bus_message_append_basic")
    }
    let (seconds, attoseconds) = limit.components
    let microseconds = UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
    try Self.check(
      unsafe sd_bus_call_async(
        open,
        &listener.slot,
        message,
        BusListener.handler,
        listener.context,
        microseconds
      ),
      "sd_bus_call_async"
    )
  }

  // MARK: The loop

  private func process() {
    while let open = unsafe bus {
      let result = unsafe sd_bus_process(open, nil)
      guard result >= 0 else {
        close()
        return onGone()
      }
      if result == 0 { break }
    }
    watch()
  }

  /// Watches for what sd-bus waits for now.
  private func watch() {
    guard let open = unsafe bus else { return }
    let events = unsafe sd_bus_get_events(open)
    var interest = Readiness.readable
    if events > 0, events & Int32(POLLOUT) != 0 { interest.insert(.writable) }
    try? loop.modify(descriptor, interest: interest)
    if let timer { loop.cancel(timer) }
    timer = nil
    var deadline: UInt64 = 0
    guard unsafe sd_bus_get_timeout(open, &deadline) > 0, deadline != .max else { return }
    timer = loop.schedule(at: SystemClock.bootNow() + Self.time(until: deadline)) { [weak self] in
      self?.timer = nil
      self?.process()
    }
  }

  /// The time until `deadline`, in microseconds of CLOCK_MONOTONIC.
  private static func time(until deadline: UInt64) -> Duration {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let passed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
    return .microseconds(deadline > passed ? Int64(min(deadline - passed, 1 << 40)) : 0)
  }

  @discardableResult
  private static func check(_ result: Int32, _ call: String) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(call, code: -result) }
    return result
  }
}

/// A body that sd-bus calls; it is not called any more once the value is gone.
@safe
final class BusListener {
  fileprivate var slot: OpaquePointer?
  private let body: (BusMessage) -> Void

  fileprivate init(_ body: @escaping (BusMessage) -> Void) { self.body = body }

  deinit { unsafe sd_bus_slot_unref(slot) }

  /// What sd-bus gives back to ``handler``: the value itself, which outlives its slot.
  fileprivate var context: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  fileprivate static let handler: sd_bus_message_handler_t = { message, context, _ in
    guard let message = unsafe message, let context = unsafe context else { return 0 }
    // SAFETY: the slot is released before the listener, and with it this call.
    let listener = unsafe Unmanaged<BusListener>.fromOpaque(context).takeUnretainedValue()
    unsafe listener.body(BusMessage(message))
    return 0
  }
}
