import LocalAuthReader
import LocalAuthUnix

/// Removes prints from a reader, which has to be claimed for that.
struct Removal {
  private let reader: FprintReader
  private let bus: SystemBus
  private let fprint: Fprint

  /// Connects to the bus, since fprintd frees a claim when its connection ends; nil if that fails.
  init?(at reader: FprintReader, bus address: String?, on loop: EventLoop) {
    guard let bus = try? SystemBus(at: address, on: loop) else { return nil }
    self.reader = reader
    self.bus = bus
    fprint = Fprint(bus: bus)
  }

  /// Removes the print called `finger`, or all of `user`; `body` is given why it cannot.
  func run(_ finger: String?, of user: String, then done: @escaping (String?) -> Void) {
    let body = { (refusal: String?) in
      bus.close()
      done(refusal)
    }
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
