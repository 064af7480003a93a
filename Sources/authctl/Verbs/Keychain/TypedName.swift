import LocalAuthCore
import LocalAuthKeychain

/// The name of an item as people type it: `mail`, `mail me` or `mail/me`.
///
/// It is the service of a generic password, the server of an internet password, and the label of a
/// certificate or key. What follows the first slash is the account, unless the account is a word of
/// its own.
struct TypedName {
  static let name = Argument<String?>(
    "NAME",
    source: .items,
    help: "the service, or SERVICE/ACCOUNT; the server or label of other classes"
  )
  static let account = Argument<String?>("ACCOUNT", help: "the account, if not part of the name")

  static var operands: [ArgumentDeclaration] { [name.declaration, account.declaration] }

  /// The attribute that the name stands for.
  let attribute: ItemAttribute
  /// The value of that attribute.
  let text: String
  /// The account; nil if none was named.
  let account: String?

  /// Parses the operands; nil if there are none.
  init?(_ arguments: ParsedArguments, of itemClass: ItemClass) throws(Failure) {
    guard let word = arguments[Self.name] else { return nil }
    let account = arguments[Self.account]
    switch itemClass {
    case .genericPassword, .identity: attribute = .service
    case .internetPassword: attribute = .server
    case .certificate, .key: attribute = .label
    }
    let isOfAnAccount = ItemAttribute.account.belongs(to: itemClass)
    guard isOfAnAccount || account == nil else {
      throw Failure(.usage, "A \(ItemClassName.name(of: itemClass)) has a label and no account.")
    }
    if account == nil, isOfAnAccount, let slash = word.firstIndex(of: "/") {
      text = String(word[..<slash])
      self.account = String(word[word.index(after: slash)...])
    } else {
      text = word
      self.account = account
    }
    guard !text.isEmpty, self.account != "" else {
      throw Failure(
        .usage,
        "A name has no empty part: give mail, mail/me or mail me, or the options --service and "
          + "--account."
      )
    }
  }
}
