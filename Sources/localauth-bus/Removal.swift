import LocalAuthReader

/// Removes prints from a reader, which has to be claimed for that.
struct Removal {
  let reader: FprintReader
  let fprint: Fprint

  init(at reader: FprintReader, by fprint: Fprint) {
    self.reader = reader
    self.fprint = fprint
  }

  /// Removes the print called `finger`, or all of `user`; `body` is given why it cannot.
  func run(_ finger: String?, of user: String, then body: @escaping (String?) -> Void) {
    fprint.claim(reader, for: user) { claim, _ in
      switch claim {
      case .granted: delete(finger) { refusal in release { body(refusal) } }
      case .busy: body("Somebody else uses the fingerprint reader.")
      case .refused(let why): body(why)
      }
    }
  }

  private func delete(_ finger: String?, then body: @escaping (String?) -> Void) {
    if let finger {
      fprint.tell(reader, "DeleteEnrolledFinger", [finger], then: body)
    } else {
      fprint.tell(reader, "DeleteEnrolledFingers2", then: body)
    }
  }

  private func release(then body: @escaping () -> Void) {
    fprint.tell(reader, "Release") { _ in body() }
  }
}
