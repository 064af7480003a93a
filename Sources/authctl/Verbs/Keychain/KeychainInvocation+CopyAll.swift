import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthWire

extension KeychainInvocation {
  /// Makes several searches one after the other, each to its end, and reports all answers as one.
  ///
  /// A search that finds nothing is followed by the next; any other failure ends them.
  func copyAll(
    _ queries: [QueryDictionary],
    then take: ([RemoteAnswer], DeviceChoice) throws(Failure) -> Report
  ) throws(Failure) -> Report {
    var calls: [KeychainMessages.CopyCall] = []
    for query in queries {
      var call = KeychainMessages.CopyCall()
      call.query = try KeychainVerbs.wire(query)
      calls.append(call)
    }
    var rest = calls[1...]
    return try report(
      Methods.copyItems,
      calls[0],
      goOn: { (call, answer) in
        if call.goOn(after: answer) { return true }
        let hasEnded = answer.outcome == .success || answer.outcome == .itemNotFound
        guard hasEnded, let next = rest.popFirst() else { return false }
        // The asking part of the call stays.
        (call.query, call.after) = (next.query, nil)
        return true
      },
      then: take
    )
  }
}
