import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthKeychain
import LocalAuthWire

extension KeychainInvocation {
  /// Returns the query for the one item that is named, where a name was typed.
  ///
  /// A service alone is the item without an account, or else the only one. It fails if there are
  /// several: the first of them may not be the one that is meant.
  static func one(
    of query: QueryDictionary,
    _ arguments: ItemArguments,
    _ context: VerbContext
  ) throws(Failure) -> QueryDictionary {
    guard let name = try arguments.name else { return query }
    let count = try count(query, context)
    guard count > 1 else { return query }
    let account = ItemAttribute.account.rawValue
    let mayNameAccount =
      query[account] == nil && ItemAttribute.account.belongs(to: arguments.itemClass)
    if mayNameAccount {
      var bare = query
      bare[account] = .text("")
      if try self.count(bare, context) == 1 { return bare }
    }
    let typed = ShellWord.quoted(name.text)
    let option = ItemOptions.texts.first { $0.attribute == name.attribute }?.option.declaration
    let advice =
      mayNameAccount ? "Say whose: \(typed)/ACCOUNT." : "Give what else tells it, or --reference."
    throw Failure(
      .usage,
      "\(count) items have this name. \(advice) All of them are \(option?.spelling ?? "") \(typed)."
    )
  }

  /// Counts the items that `query` finds; nobody is asked for anything.
  func count(_ query: QueryDictionary) throws(Failure) -> Int {
    try Self.count(query, context)
  }

  static func count(
    _ query: QueryDictionary,
    _ context: VerbContext
  ) throws(Failure) -> Int {
    var call = KeychainMessages.DeleteCall()
    call.query = try KeychainVerbs.wire(query)
    call.countOnly = true
    call.asking.interactive = false
    let (device, address) = (try context.device(), try context.address())
    var stream = try context.calling { () throws(ClientError) in
      try KeychainStream(on: device, at: address)
    }
    try context.calling { () throws(ClientError) in
      try stream.begin(Methods.deleteItems, call)
    }
    var run = DialogRun(
      Dialog(.caller(reason: "count items"), isUnattended: true),
      about: stream,
      on: DialogScreen(on: nil, style: context.promptStyle, opensAtOnce: false),
      timeout: context.arguments[EvaluateVerb.timeout].duration
    )
    switch try DialogEnd.conclusion(of: &run, context) {
    case .interrupted(let report): throw Failure(report.outcome, report.message)
    // What cannot be counted is refused by the call itself, in words of its own.
    case .value(let answer): return answer.count ?? 0
    }
  }
}
