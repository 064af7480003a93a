import LocalAuthCore
import LocalAuthReader
import LocalAuthUnix

/// One use of a reader: does what its ``ReaderRun`` asks for, and tells it what comes of that.
///
/// It belongs to the loop's thread, and to whoever started it until ``onOver``.
final class ReaderUse {
  /// Called with everything to tell whoever asked.
  var onSaying: (ReaderRun.Saying) -> Void = { _ in }
  /// Called when somebody else holds the reader, and when it is claimed.
  var onBusy: (Bool) -> Void = { _ in }
  /// Called when nothing is left to do before the machine sleeps.
  var onRest: () -> Void = {}
  /// Called when the reader is free again.
  var onOver: () -> Void = {}
  let reader: FprintReader
  private let fprint: Fprint
  private let user: String
  private(set) var run: ReaderRun
  /// A connection of its own: fprintd frees what it granted when it ends, whatever happened.
  private let bus: SystemBus
  /// The unique name of the service that granted the claim: only its signals count.
  private var owner: String?

  /// Connects to the bus; nil if that fails.
  init?(
    _ purpose: ReaderRun.Purpose,
    of user: String,
    at reader: FprintReader,
    bus address: String?,
    on loop: EventLoop
  ) {
    guard let bus = try? SystemBus(at: address, on: loop) else { return nil }
    self.bus = bus
    fprint = Fprint(bus: bus)
    run = ReaderRun(purpose)
    self.user = user
    self.reader = reader
    bus.onGone = { [weak self] in self?.vanish("The system's message bus is gone.") }
    bus.onOwner = { [weak self] _, old, _ in
      guard let self, old == owner else { return }
      vanish("The fingerprint service ended.")
    }
    listen()
  }

  private func listen() {
    bus.listen(to: Fprint.service, "path='\(reader.path)',interface='\(Fprint.device)'") {
      [weak self] message in self?.signal(message)
    }
    bus.listen(
      to: Fprint.service,
      "path='\(reader.path)',interface='org.freedesktop.DBus.Properties',"
        + "member='PropertiesChanged'"
    ) { [weak self] message in self?.propertiesChanged(message) }
  }

  private func signal(_ message: BusMessage) {
    guard message.sender == owner, let member = message.member, let word = message.text(),
      let isDone = message.flag()
    else { return }
    switch member {
    case "VerifyStatus": perform(run.heard(ScanWord(verify: word), isDone: isDone))
    case "EnrollStatus": perform(run.heard(ScanWord(enroll: word), isDone: isDone))
    default: break
    }
  }

  private func propertiesChanged(_ message: BusMessage) {
    guard message.sender == owner, message.text() == Fprint.device else { return }
    message.properties { key, value in
      guard key == "finger-present", let lies = value.variant("b", { $0.flag() }) else { return }
      perform(run.finger(lies: lies))
    }
  }

  func begin() { perform([.claim]) }
  /// The reader may be free by now.
  func waited() { perform(run.waited()) }
  func cancel() { perform(run.cancelled()) }
  func interrupt(_ why: String) { perform(run.interrupted(why)) }
  func suspend(_ why: String) { perform(run.slept(why)) }
  func resume() { perform(run.woke()) }
  func vanish(_ why: String) { perform(run.vanished(why)) }

  private func perform(_ effects: [ReaderRun.Effect]) { for effect in effects { perform(effect) } }

  private func perform(_ effect: ReaderRun.Effect) {
    switch effect {
    case .claim:
      fprint.claim(reader, for: user) { [self] claim, owner in
        self.owner = owner
        onBusy(claim == .busy)
        perform(run.claimed(claim))
      }
    // Whoever hears of ``onBusy`` says when.
    case .wait: break
    case .look:
      fprint.fingerLies(on: reader) { [self] lies in perform(run.finger(lies: lies)) }
    case .start: start()
    case .stop: fprint.tell(reader, stopping) { [self] _ in perform(run.stopped()) }
    case .rest: onRest()
    case .release: fprint.tell(reader, "Release") { [self] _ in perform(run.released()) }
    case .say(let saying): onSaying(saying)
    case .over:
      bus.close()
      onOver()
    }
  }

  private func start() {
    let started = { [self] (refusal: String?) in perform(run.started(refusal)) }
    switch run.purpose {
    case .verify: fprint.tell(reader, "VerifyStart", ["any"], then: started)
    case .enroll(let finger):
      fprint.stages(of: reader) { [self] stages in
        run.has(stages: stages)
        fprint.tell(reader, "EnrollStart", [finger.rawValue], then: started)
      }
    }
  }

  private var stopping: String {
    switch run.purpose {
    case .verify: "VerifyStop"
    case .enroll: "EnrollStop"
    }
  }
}
