import LocalAuthCore
import LocalAuthSecret

/// Asks a person for an application password: once, or twice if it is new.
final class PasswordAsking {
  /// The result of an answer.
  enum Progress {
    case done
    /// The next question, after a complaint if the answer was rejected.
    case next(complaint: String?)
  }

  private let isNew: Bool
  private var first: SecretBox?
  /// The password, once it is complete.
  private(set) var password: SecretBox?

  init(isNew: Bool) { self.isNew = isNew }

  /// The question to show.
  var question: String {
    if first != nil { return "The same application password again:" }
    return isNew ? "New application password:" : "Application password:"
  }

  func take(_ answer: SecretBox) -> Progress {
    guard let given = answer.take() else { return .next(complaint: nil) }
    guard given.count > 0 else { return .next(complaint: "An application password is not empty.") }
    guard isNew else { return finish(SecretBox(given)) }
    guard let earlier = first?.take() else {
      first = SecretBox(given)
      return .next(complaint: nil)
    }
    first = nil
    guard given.isEqual(to: earlier) else {
      return .next(complaint: "The two application passwords differ; type it anew.")
    }
    return finish(SecretBox(given))
  }

  private func finish(_ answer: SecretBox) -> Progress {
    password = answer
    return .done
  }
}

extension Session {
  /// Takes an answer to the question for an application password; the items judge the password.
  func collect(_ password: SecretBox, _ asking: PasswordAsking) -> Bool {
    guard question != nil else { return false }
    question = nil
    switch asking.take(password) {
    case .done: meet { $0.collected(id, .applicationPassword, at: $1) }
    case .next(let complaint):
      if let complaint { onEvent(.message(isError: true, text: complaint)) }
      present()
    }
    return true
  }
}
