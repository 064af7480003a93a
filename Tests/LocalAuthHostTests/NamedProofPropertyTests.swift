import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthTestSupport
import Testing

/// Random calls in two contexts, with and without somebody to ask, beside a model of what the prompts
/// said: an item opens or changes where a prompt of its context named it for that, and nowhere else.
@Suite struct NamedProofPropertyTests {
  private static let passcodes = "passcode:1234,passcode:1234"

  @Test func whateverIsAskedNoItemOpensThatNoPromptNamed() throws {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<3 {
      let trial = try Trial()
      for _ in 0..<80 { try trial.step(using: &random) }
    }
  }

  /// An operation on an item that a prompt of a context named.
  private struct Leave: Hashable {
    let context: Int
    let account: String
    let operation: AccessOperation
  }

  private final class Trial {
    private let rig: KeychainRig
    private let contexts: [ContextIdentity]
    private let controls: [String: AccessControl]
    private let accounts = ["ann", "bob", "cid", "dot"]
    private var leaves: Set<Leave> = []
    /// Contexts in which every item of `guarded` may be opened and changed.
    private var broad: Set<Int> = []
    private let guarded: AccessControl

    init() throws {
      rig = try KeychainRig()
      contexts = [rig.newContext(), rig.newContext()]
      guarded = try AccessControl(.whenUnlocked, flags: .devicePasscode)
      let eachUse = try AccessControl(.whenUnlocked, flags: [.devicePasscode, .eachUse])
      controls = ["ann": guarded, "bob": guarded, "cid": eachUse, "dot": eachUse]
      for account in accounts { add(account) }
    }

    private func add(_ account: String) { rig.add(account, accessControl: controls[account]) }

    func step(using random: inout SeededGenerator) throws {
      let account = accounts[Int.random(in: 0..<4, using: &random)]
      let context = Int.random(in: 0..<2, using: &random)
      let isAsked = Int.random(in: 0..<3, using: &random) == 0
      let seed = random.seed
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<5: use(.decrypt, [account], in: context, isAsked, seed)
      case 5..<10: use(.update, [account], in: context, isAsked, seed)
      case 10, 11: use(.decrypt, accounts, in: context, isAsked, seed)
      case 12:
        guard isAsked else { return }
        let evaluated = rig.call(
          .evaluate(guarded, [.decrypt, .update]),
          script: NamedProofPropertyTests.passcodes,
          context: contexts[context]
        )
        #expect(evaluated.error == nil, "seed \(seed)")
        broad.insert(context)
      case 13:
        rig.engine.contextEnded(contexts[context])
        leaves = leaves.filter { $0.context != context }
        broad.remove(context)
      case 14:
        try rig.lock()
        try rig.unlock()
        leaves = []
        broad = []
      default:
        // Another item of the same name is another item.
        #expect(rig.call(.delete(["class": .text("genp"), "acct": .text(account)])).error == nil)
        add(account)
        leaves = leaves.filter { $0.account != account }
      }
    }

    /// Does `operation` on all of `used`, one account or every one, and compares.
    private func use(
      _ operation: AccessOperation,
      _ used: [String],
      in context: Int,
      _ isAsked: Bool,
      _ seed: UInt64
    ) {
      let shown = rig.prompts.count
      var query: QueryDictionary = ["class": .text("genp")]
      if used.count == 1 { query["acct"] = .text(used[0]) }
      var search = query
      search["r_Data"] = .boolean(true)
      if used.count > 1 { search["m_Limit"] = .text("m_LimitAll") }
      let answer = rig.call(
        operation == .update
          ? .update(query, changes: ["icmt": .text("new")], data: nil)
          : .copy(search, after: nil),
        script: isAsked ? NamedProofPropertyTests.passcodes : nil,
        context: contexts[context],
        isInteractive: isAsked
      )
      let named = rig.prompts[shown...].compactMap(\.items)
        .filter { $0.operations == [operation] }.flatMap { $0.names.compactMap(\.account) }
      let isAllowed = used.allSatisfy { account in
        named.contains(account) || controls[account] == guarded && broad.contains(context)
          || leaves.contains(Leave(context: context, account: account, operation: operation))
      }
      let story = "seed \(seed): \(operation) of \(used) in \(context), named \(named)"
      #expect((answer.error == nil) == isAllowed, "\(story)")
      #expect(Set(named).isSubset(of: used), "\(story)")
      #expect(named.isEmpty || isAsked, "\(story)")
      if operation == .decrypt, answer.error == nil {
        #expect(answer.items.count == used.count, "\(story)")
      }
      for account in named where controls[account] == guarded {
        leaves.insert(Leave(context: context, account: account, operation: operation))
      }
    }
  }
}
