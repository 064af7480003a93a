import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthService
import LocalAuthStore
import LocalAuthTestSupport
import LocalAuthUnix

@testable import LocalAuthHost

/// An engine over a real database and real keys, and what has been asked of it.
final class Life {
  let clock = HandClock()
  let caller = Caller(uid: 1000, pid: 42, program: "test", process: LivingProcess())
  private let answers = HeldAnswers()
  private let threads: WorkerPool
  private let store: Store
  private let pam = TellingPAM()
  private(set) var engine: Engine?
  var generator: SeededGenerator
  /// Once in how many steps the ports answer.
  private(set) var slowness = 1

  /// Calls whose answer is still to come, by their numbers.
  private(set) var pending: [Int: String] = [:]
  private(set) var answeredTwice: [String] = []
  private(set) var lastCall = 0
  /// Calls that nobody waits for any more; whether they are answered is all the same.
  private var calledOff: Set<Int> = []
  /// What could be answered, called off or left, some of it for long.
  var nonces: [EvaluationID] = []
  var evaluations: [(id: EvaluationID, call: Int)] = []
  var keychainCalls: [EvaluationID] = []
  var touches: [(id: TouchID, call: Int)] = []
  var enrolments: [EnrolmentID] = []
  var agents: [PromptAgents.AgentID] = []

  init(_ generator: SeededGenerator) throws {
    self.generator = generator
    let key = DeviceKey.generate()
    store = try Store(inMemoryWith: KeyedRecordTagger(key))
    threads = try WorkerPool(name: "test-kdf", threads: 1)
    pam.scheduler = clock
    var options = EngineOptions(owner: 1000)
    options.isEphemeral = true
    engine = Engine(
      ports: EnginePorts(
        store: HeldAnswerStore(over: store, answers),
        vaults: HeldAnswerVaults(
          vaults: KeyVaults(key, isEphemeral: true, on: threads),
          answers: answers
        ),
        pam: pam,
        clock: clock,
        random: SeededGenerator(seed: self.generator.next()),
        digest: KeyedRecordTagger(key),
        hash: MessageHash(),
        signatures: PeerSignatures(),
        wake: {}
      ),
      catalog: PolicyCatalog(),
      state: StoredState(),
      options: options
    )
    slowness = 1 + draw(12)
  }

  // MARK: Chance

  func draw(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

  func one<Element>(of elements: [Element]) -> Element { elements[draw(elements.count)] }

  // MARK: Calls

  /// Notes a call; what is returned is to be called with its answer.
  func begun(_ verb: String) -> () -> Void {
    lastCall += 1
    let number = lastCall
    pending[number] = verb
    return { [weak self] in
      guard let self, pending.removeValue(forKey: number) == nil,
        calledOff.remove(number) == nil
      else { return }
      answeredTwice.append(verb)
    }
  }

  /// Whoever made the call hears nothing of it.
  func callOff(_ number: Int) {
    if pending.removeValue(forKey: number) != nil { calledOff.insert(number) }
  }

  /// Makes a call that may be refused at once.
  func make<Value>(
    _ verb: String,
    _ body: (Engine, @escaping () -> Void) throws(EngineError) -> Value
  ) -> Value? {
    guard let engine else { return nil }
    let ended = begun(verb)
    do throws(EngineError) {
      return try body(engine, ended)
    } catch {
      ended()
      return nil
    }
  }

  // MARK: Time

  /// Lets ports and clock say what is due, so many answers at most and in any order.
  func turn(_ most: Int = .max) {
    clock.runDue()
    var left = most
    while left > 0, answers.choices > 0 {
      left -= 1
      answers.release(draw(answers.choices))
      engine?.completionsArrived()
      clock.runDue()
    }
  }

  /// After so many rounds a call that is not answered never will be.
  private static let endingsMax = 50

  /// Lets every device go, and everything that waits come to its end.
  func end() {
    for agent in agents { engine?.agentLeft(agent) }
    agents = []
    for _ in 0..<Self.endingsMax where !(pending.isEmpty && clock.isEmpty) {
      for name in Self.names {
        engine?.erase(name, caller: caller, then: { _ in })
        turn()
        engine?.delete(name, passcode: nil, caller: caller, then: { _ in })
      }
      turn()
      clock.pass(.seconds(3600))
    }
  }

  /// Lets go of the engine, and says whether it is gone.
  func letGo() -> Bool {
    turn()
    weak let last = engine
    engine = nil
    store.close()
    threads.shutdown()
    return last == nil
  }
}
