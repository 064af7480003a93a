import LocalAuthCore
import LocalAuthReader

/// A reader that fprintd drives.
struct FprintReader: Equatable {
  /// Its object on the bus.
  var path: String
  /// Its name, as libfprint has it.
  var name: String

  /// Whether it is one of libfprint's virtual devices, which anybody can make match.
  var isVirtual: Bool { name.lowercased().hasPrefix("virtual") }
}

/// The calls and signals of fprintd, as it documents them.
struct Fprint {
  static let service = "net.reactivated.Fprint"
  static let device = "net.reactivated.Fprint.Device"
  static let errors = "net.reactivated.Fprint.Error."
  private static let missing = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// Claiming opens the reader, which takes real ones a while.
  private static let claimLimit = Duration.seconds(10)

  let bus: SystemBus

  /// The readers; none where there is no fprintd.
  func readers(then body: @escaping (Result<[FprintReader], BusError>) -> Void) {
    let manager = BusMethod(
      service: Self.service,
      path: "/net/reactivated/Fprint/Manager",
      interface: "net.reactivated.Fprint.Manager",
      member: "GetDevices"
    )
    bus.call(manager) { result in
      switch result {
      case .success(let message):
        describe((message.texts("o") ?? [])[...], []) { body(.success($0)) }
      case .failure(let error) where error.name == Self.missing: body(.success([]))
      case .failure(let error): body(.failure(error))
      }
    }
  }

  private func describe(
    _ paths: ArraySlice<String>,
    _ known: [FprintReader],
    _ body: @escaping ([FprintReader]) -> Void
  ) {
    guard let path = paths.first else { return body(known) }
    bus.property("name", Self.device, of: Self.service, path) { value in
      let name = value?.variant("s") { $0.text() } ?? ""
      let reader = name.isEmpty ? [] : [FprintReader(path: path, name: name)]
      describe(paths.dropFirst(), known + reader, body)
    }
  }

  /// The names of the fingers that `user` has enrolled.
  func fingers(
    of user: String,
    at reader: FprintReader,
    then body: @escaping (Result<[String], BusError>) -> Void
  ) {
    call(reader, "ListEnrolledFingers", [user]) { result in
      switch result {
      case .success(let message): body(.success(message.texts("s") ?? []))
      case .failure(let error) where error.name == Self.errors + "NoEnrolledPrints":
        body(.success([]))
      case .failure(let error): body(.failure(error))
      }
    }
  }

  /// Claims `reader` for `user`; `body` is given the unique name of the service that granted it.
  func claim(
    _ reader: FprintReader,
    for user: String,
    then body: @escaping (ReaderRun.Claim, _ owner: String?) -> Void
  ) {
    call(reader, "Claim", [user], limit: Self.claimLimit) { result in
      switch result {
      case .success(let message): body(.granted, message.sender)
      case .failure(let error) where error.name == Self.errors + "AlreadyInUse": body(.busy, nil)
      case .failure(let error): body(.refused(Self.sentence(error)), nil)
      }
    }
  }

  /// Whether a finger lies on `reader`; false if it does not know.
  func fingerLies(on reader: FprintReader, then body: @escaping (Bool) -> Void) {
    bus.property("finger-present", Self.device, of: Self.service, reader.path) { value in
      body(value?.variant("b") { $0.flag() } ?? false)
    }
  }

  /// How many stages an enrolment has, which is not known before `reader` is claimed.
  func stages(of reader: FprintReader, then body: @escaping (Int) -> Void) {
    bus.property("num-enroll-stages", Self.device, of: Self.service, reader.path) { value in
      body(max(1, Int(value?.variant("i") { $0.number() } ?? 1)))
    }
  }

  /// Calls a method without a result; `body` is given why it failed.
  func tell(
    _ reader: FprintReader,
    _ member: String,
    _ arguments: [String] = [],
    then body: @escaping (_ refusal: String?) -> Void
  ) {
    call(reader, member, arguments) { result in
      if case .failure(let error) = result { body(Self.sentence(error)) } else { body(nil) }
    }
  }

  private func call(
    _ reader: FprintReader,
    _ member: String,
    _ arguments: [String],
    limit: Duration = .seconds(5),
    then body: @escaping (Result<BusMessage, BusError>) -> Void
  ) {
    let method = BusMethod(
      service: Self.service,
      path: reader.path,
      interface: Self.device,
      member: member
    )
    bus.call(method, arguments, limit: limit, then: body)
  }

  /// Why fprintd refused, one sentence for the person.
  static func sentence(_ error: BusError) -> String {
    switch error.name {
    case errors + "PermissionDenied": "The fingerprint reader may not be used from here."
    case errors + "AlreadyInUse": SensorHindrance.busy.sentence
    case errors + "NoEnrolledPrints": "No finger is enrolled at the reader."
    case errors + "NoSuchDevice", errors + "NoSuchLoadedDevice", errors + "Internal",
      "org.freedesktop.DBus.Error.UnknownObject", missing:
      "The fingerprint reader is gone."
    case errors + "InvalidFingername": "The reader knows no such finger."
    case errors + "PrintsNotDeleted": "The reader did not remove the print."
    default: "The fingerprint reader failed."
    }
  }
}
