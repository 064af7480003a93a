import LocalAuthClient
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthUnix
import LocalAuthWire

/// The names that a daemon and files know, for completion.
///
/// A failure of any kind means that nothing is known. No daemon is started, and nobody is asked.
struct KnownValues {
  private let context: VerbContext

  /// How long a key press may wait for a daemon.
  private static let patience = Duration.seconds(1)
  /// How many items are looked at.
  private static let itemsMax: Int64 = 200

  /// The values for the command line of `context`, whose global options say which daemon is meant.
  init(_ context: VerbContext) {
    self.context = context
  }

  /// Returns all words of `source`, unsorted.
  func words(of source: ValueSource) -> [Completion.Word] {
    switch source {
    case .nothing, .files, .directories, .users, .programs: []
    case .devices: devices()
    case .items: items()
    case .documents: documents()
    case .keys: keys()
    case .tables: tables()
    case .peers: peers()
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

  private func documents() -> [Completion.Word] {
    guard let group else { return [] }
    return Self.words(call(Methods.listDocuments, group.call())?.documents.map(\.name))
  }

  private func keys() -> [Completion.Word] {
    guard let group else { return [] }
    return Self.words(call(Methods.readKeyValues, group.call())?.values.map(\.key))
  }

  private func tables() -> [Completion.Word] {
    guard let group else { return [] }
    return Self.words(
      call(Methods.tableChanges, group.call())?.rows.filter { !$0.deleted }.map(\.table)
    )
  }

  private func peers() -> [Completion.Word] {
    guard let device = try? context.device() else { return [] }
    let status = call(Methods.syncStatus, SyncVerbs.deviceCall(device))
    return Self.words(status?.peers.filter { !$0.isThisDevice }.map(\.name))
  }

  /// The first access group of the program, on the device that is meant.
  private var group: GroupAddress? {
    (try? context.device()).map { GroupAddress($0, nil) }
  }

  private static func words(_ names: [String]?) -> [Completion.Word] {
    Set(names ?? []).map { Completion.Word(text: $0, help: "") }
  }

  /// The names of passwords that need no proof.
  private func items() -> [Completion.Word] {
    let names = passwords().compactMap { found -> String? in
      guard case .text(let service)? = found.item?.attributes[.service], !service.contains("/")
      else { return nil }
      guard case .text(let account)? = found.item?.attributes[.account], !account.isEmpty
      else { return service }
      return "\(service)/\(account)"
    }
    return Set(names).map { Completion.Word(text: $0, help: "") }
  }

  private func passwords() -> [RemoteItem] {
    let query: QueryDictionary = [
      QueryKey.itemClass.rawValue: .text(ItemClass.genericPassword.rawValue),
      ItemAttribute.synchronizable.rawValue: .text(QueryKey.synchronizableAny),
      QueryKey.returnAttributes.rawValue: .boolean(true),
      QueryKey.matchLimit.rawValue: .number(Self.itemsMax),
      QueryKey.useAuthenticationUI.rawValue: .text(InterfaceMode.skip.rawValue),
    ]
    var call = KeychainMessages.CopyCall()
    call.asking.interactive = false
    guard let device = try? context.device(), let daemon = runningDaemon,
      let wire = try? KeychainVerbs.wire(query)
    else { return [] }
    call.query = wire
    do throws(ClientError) {
      var stream = try KeychainStream(on: device, at: daemon)
      try stream.begin(Methods.copyItems, call)
      let deadline = Deadline.after(Self.patience)
      while true {
        if case .result(let answer) = try stream.next(until: deadline) { return answer.items }
      }
    } catch {
      return []
    }
  }

  /// The address of the daemon, which does not start one.
  private var runningDaemon: DaemonAddress? {
    guard let address = try? context.address() else { return nil }
    guard address.startsDaemon else { return address }
    return DaemonAddress(
      paths: address.paths,
      startsDaemon: false,
      environment: context.environment
    )
  }

  private func call<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call
  ) -> Reply? {
    guard var daemon = try? runningDaemon?.connect() else { return nil }
    return try? daemon.call(method, parameters, within: Self.patience)
  }
}
