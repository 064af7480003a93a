import LocalAuthCore
import LocalAuthReader

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
  /// The unique name of the service that granted the claim: only its signals count.
  private(set) var owner: String?

  init(
    _ purpose: ReaderRun.Purpose,
    of user: String,
    at reader: FprintReader,
    by fprint: Fprint
  ) {
    run = ReaderRun(purpose)
    self.user = user
    self.reader = reader
    self.fprint = fprint
  }

  func begin() { perform([.claim]) }
  /// The reader may be free by now.
  func waited() { perform(run.waited()) }
  func cancel() { perform(run.cancelled()) }
  func interrupt(_ why: String) { perform(run.interrupted(why)) }
  func suspend(_ why: String) { perform(run.slept(why)) }
  func resume() { perform(run.woke()) }
  func vanish(_ why: String) { perform(run.vanished(why)) }

  /// Whether a signal of this sender about this object is about this use.
  func concerns(_ message: BusMessage) -> Bool {
    message.sender == owner && owner != nil && message.path == reader.path
  }

  func heard(_ word: ScanWord, isDone: Bool) { perform(run.heard(word, isDone: isDone)) }
  func finger(lies: Bool) { perform(run.finger(lies: lies)) }

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
    case .over: onOver()
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
