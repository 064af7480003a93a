import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthWire

/// `authctl keychain code`, and adding what it needs.
enum CodeVerb {
  /// What the service of an item that makes codes begins with.
  ///
  /// So a password and its codes can have the same name.
  static let prefix = "code:"

  static let command = Command(
    "code",
    abstract: "Print the one-time code of the moment.",
    discussion: """
      Computes the code by time (RFC 6238) from an item that keychain add --code has added. Its
      service begins with code: in lists, and for the other verbs.

        authctl keychain add mail/me --code
        authctl keychain code mail/me
        authctl keychain delete code:mail/me

      The item opens as for get, so the code is computed after what it asks for was proven.
      """,
    arguments: TypedName.operands,
    options: Clipboard.options + ItemOptions.describing + [ItemOptions.reference.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions + Clipboard.exclusions
  ) { (context) throws(Failure) in try code(context) }

  /// Gives the item of `found` the service of one that makes codes.
  static func rename(_ found: inout QueryDictionary, _ itemClass: ItemClass) throws(Failure) {
    guard itemClass == .genericPassword else {
      throw Failure(.usage, "What makes codes is a generic password: leave out '--class'.")
    }
    let service = ItemAttribute.service.rawValue
    guard case .text(let text)? = found[service], !text.hasPrefix(prefix) else { return }
    found[service] = .text(prefix + text)
  }

  /// Reads what makes codes, and fails if it is not that.
  static func readKey(
    _ context: VerbContext,
    for item: inout QueryDictionary
  ) throws(Failure) -> Secret {
    guard item[ItemAttribute.service.rawValue] != nil else {
      throw Failure(.usage, "Say what the code is for: give a name, such as mail or mail/me.")
    }
    let description = ItemAttribute.description.rawValue
    if item[description] == nil { item[description] = .text("one-time code") }
    let secret = try ItemSecretInput.read(context, asking: "otpauth:// address or key")
    do throws(OneTimeCodeError) { _ = try OneTimeCode(secret) } catch {
      throw Failure(.usage, error.sentence)
    }
    return secret
  }

  private static func code(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = ItemArguments(context.arguments, ofCode: true)
    let clipboard = try Clipboard(context)
    var query = try arguments.query(isAll: false)
    query = try KeychainInvocation.one(of: query, arguments, context)
    query[QueryKey.returnData.rawValue] = .boolean(true)
    var call = KeychainMessages.CopyCall()
    call.query = try KeychainVerbs.wire(query)
    return try KeychainInvocation(context).report(Methods.copyItems, call) {
      (answers, device) throws(Failure) in
      let answer = answers[answers.count - 1]
      let report = KeychainReport(context: context, device: device, answer: answer)
      guard answer.outcome != .itemNotFound else {
        throw Failure(
          .itemNotFound,
          "There are no codes of that name. Add what makes them: "
            + "\(context.typed(device: device.name)) keychain add NAME --code"
        )
      }
      guard answer.outcome == .success else { return report.report("") }
      let data = answer.items.first?.data?.take() ?? Secret(capacity: 0)
      let now = Int64(time(nil))
      let (code, secondsLeft) = try computed(from: data, at: now)
      return try report.code(code, secondsLeft: secondsLeft, to: clipboard)
    }
  }

  private static func computed(
    from data: borrowing Secret,
    at now: Int64
  ) throws(Failure) -> (code: HeldSecret, secondsLeft: Int64) {
    do throws(OneTimeCodeError) {
      let maker = try OneTimeCode(data)
      return (HeldSecret(try maker.code(at: now)), maker.secondsLeft(at: now))
    } catch .library {
      throw Failure(.internalError, OneTimeCodeError.library.sentence)
    } catch {
      throw Failure(.keychainError, "The item makes no codes. \(error.sentence)")
    }
  }
}
