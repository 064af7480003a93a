import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthWire

extension KeychainInvocation {
  /// Adds the items of one record, all of them or none; nobody is asked for anything.
  func addAll(_ item: borrowing ExchangeItem) throws(Failure) -> RemoteAnswer {
    var call = KeychainMessages.AddAllCall()
    for dictionary in item.dictionaries {
      var new = KeychainMessages.NewItem()
      new.query = try KeychainVerbs.wire(dictionary)
      call.items.append(new)
    }
    call.asking.interactive = false
    let (device, address) = (try context.device(), try context.address())
    var stream = try context.calling { () throws(ClientError) in
      try KeychainStream(on: device, at: address)
    }
    let places = item.places
    do throws(ClientError) {
      // SAFETY: the bytes stay in place until the call is sent, and no pointer to them outlives it.
      try unsafe item.secrets.withUnsafeBytes { (bytes) throws(ClientError) in
        for (index, place) in places.enumerated() {
          guard let place else { continue }
          let data = unsafe UnsafeRawBufferPointer(rebasing: bytes[place])
          unsafe call.items[index].data = WireSecret(base64Of: data)
        }
        try lendApplicationPassword { (password) throws(ClientError) in
          call.asking.applicationPassword = password
          try stream.begin(Methods.addItems, call)
        }
      }
    } catch {
      throw Failure(error, typed: context.typed())
    }
    var run = DialogRun(
      Dialog(.caller(reason: "add items"), isUnattended: true),
      about: stream,
      on: DialogScreen(on: nil, style: context.promptStyle, opensAtOnce: false),
      timeout: context.arguments[EvaluateVerb.timeout].duration
    )
    switch try DialogEnd.conclusion(of: &run, context) {
    case .interrupted(let report): throw Failure(report.outcome, report.message)
    case .value(let answer): return answer
    }
  }
}
