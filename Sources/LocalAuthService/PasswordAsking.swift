import LocalAuthCore
import LocalAuthSecret

/// Asks a person for the application password of items: once, or twice where it is a new one.
final class PasswordAsking {
  /// What became of an answer.
  enum Progress {
    case done
    /// The next question, after a complaint where there is something to complain about.
    case next(complaint: String?)
  }

  private let isNew: Bool
  private var first: SecretBox?
  /// The password, once it is there.
  private(set) var password: SecretBox?

  init(isNew: Bool) { self.isNew = isNew }

  /// What the person is asked.
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
  /// Takes an application password, which the items judge.
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
