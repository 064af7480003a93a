import LocalAuthClient
import LocalAuthPolicies
import LocalAuthWire

/// The names that a daemon and files know, for completion.
///
/// A failure of any kind means that nothing is known. No daemon is started, and nobody is asked.
struct KnownValues {
  private let context: VerbContext

  /// How long a key press may wait for a daemon.
  private static let patience = Duration.seconds(1)

  /// The values for the command line of `context`, whose global options say which daemon is meant.
  init(_ context: VerbContext) {
    self.context = context
  }

  /// Returns all words of `source`, unsorted.
  func words(of source: ValueSource) -> [Completion.Word] {
    switch source {
    case .nothing, .files, .directories, .users, .programs: []
    case .devices: devices()
    case .policies: named(catalog.names, of: .policy)
    case .lockoutProfiles: named(catalog.lockoutProfileNames, of: .lockout)
    case .passcodeDelays: named(catalog.passcodeDelayNames, of: .passcodeDelay)
    case .sensorProfiles: named(catalog.sensorProfileNames, of: .sensor)
    case .policiesAndProfiles: words(of: .policies) + words(of: .lockoutProfiles)
    }
  }

  private var catalog: PolicyCatalog { PolicyChoice.catalog(context) }

  private func named(_ names: [String], of kind: PolicyKind) -> [Completion.Word] {
    let catalog = catalog
    return names.map { name in
      Completion.Word(text: name, help: catalog.origin(of: name, kind: kind)?.word ?? "")
    }
  }

  private func devices() -> [Completion.Word] {
    let reply = call(Methods.listDevices, ServiceMessages.Empty())
    return reply?.devices.map { Completion.Word(text: $0.name, help: DeviceText.kind($0)) } ?? []
  }

  private func call<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call
  ) -> Reply? {
    guard let address = try? context.address(), var daemon = try? address.connectToRunning() else {
      return nil
    }
    return try? daemon.call(method, parameters, within: Self.patience)
  }
}
