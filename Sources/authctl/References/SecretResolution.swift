import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthWire

extension KeychainInvocation {
  /// Opens what `references` name in one call, which asks once for all items of one access control,
  /// and passes `body` their secrets, by number.
  ///
  /// `nothing` says what did not happen if it fails: "Nothing was run.".
  func resolve(
    _ references: ReferenceList,
    orElse nothing: String,
    then body: ([HeldSecret]) throws(Failure) -> Report
  ) throws(Failure) -> Report {
    let entries = references.entries
    guard let first = entries.first else { return try body([]) }
    var call = KeychainMessages.CopyCall()
    call.query = try Self.query(first.reference)
    var also: [WireQuery] = []
    for entry in entries.dropFirst() { also.append(try Self.query(entry.reference)) }
    call.also = also
    return try report(Methods.copyItems, call) { (answers, device) throws(Failure) in
      let answer = answers[answers.count - 1]
      var report = KeychainReport(context: context, device: device, answer: answer)
        .report("The secrets were opened.")
      guard answer.outcome == .success, report.exit == 0 else {
        let said = report.remark ?? report.message
        report.message = Self.problem(answer, entries, said, nothing) ?? "\(nothing) \(said)"
        report.remark = report.message
        return report
      }
      return try body(try Self.secrets(answer, entries, nothing))
    }
  }

  /// The search for the one item that a reference names.
  private static func query(_ reference: SecretReference) throws(Failure) -> WireQuery {
    var query: QueryDictionary = [
      QueryKey.itemClass.rawValue: .text(ItemClass.genericPassword.rawValue),
      ItemAttribute.service.rawValue: .text(reference.service),
      QueryKey.returnData.rawValue: .boolean(true),
    ]
    query[ItemAttribute.account.rawValue] = reference.account.map { .text($0) }
    do throws(WireError) { return try WireQuery(query) } catch {
      throw Failure(.internalError, "\(error)")
    }
  }

  /// What is wrong with the reference that an answer complains about; nil if it is about none.
  private static func problem(
    _ answer: RemoteAnswer,
    _ entries: [ReferenceList.Entry],
    _ said: String,
    _ nothing: String
  ) -> String? {
    guard let number = answer.failedItem, entries.indices.contains(number) else { return nil }
    let entry = entries[number]
    switch answer.outcome {
    case .itemNotFound: return "There is no item for \(entry.text). \(nothing)"
    case .duplicateItem:
      return "Several items match \(entry.text): name the account, as in \(SecretReference.form). "
        + nothing
    default: return "\(nothing) \(entry.text) cannot be opened. \(said)"
    }
  }

  private static func secrets(
    _ answer: RemoteAnswer,
    _ entries: [ReferenceList.Entry],
    _ nothing: String
  ) throws(Failure) -> [HeldSecret] {
    guard answer.items.count == entries.count else {
      throw Failure(.internalError, "The daemon did not answer for each reference: restart it.")
    }
    var secrets: [HeldSecret] = []
    for (item, entry) in zip(answer.items, entries) {
      guard let secret = item.data?.take() else {
        throw Failure(.itemNotFound, "The item of \(entry.text) has no secret. \(nothing)")
      }
      secrets.append(HeldSecret(secret))
    }
    return secrets
  }
}
