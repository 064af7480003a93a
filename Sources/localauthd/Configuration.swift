import LocalAuthCore
import LocalAuthHost
import LocalAuthPolicyFiles
import LocalAuthUnix
import LocalAuthWire

/// The options of the command line.
struct Configuration {
  enum Result {
    case run(Configuration)
    case help
    case version
    case failure(String)
  }

  var paths: RuntimePaths
  /// Whether to run as the system service, which serves every user.
  var isSystem = false
  /// The journal's socket; used by the system service only.
  var journal = Journal.standardPath
  /// The socket of root's PAM workers; used by the system service only.
  var pamSocket = RuntimePaths.systemPAMSocket
  /// The socket that leads to programs that are connected to hubs; used by the system service only.
  var syncSocket = RuntimePaths.systemSyncSocket
  /// The account that the system service becomes when root starts it.
  var account = SystemAccount.service
  /// The source of the rules for administering devices; used by the system service only.
  var administration = AdministrationSource.systemFile
  /// The descriptor on which to report readiness; nil if nobody waits for that.
  var readyDescriptor: Int32?
  /// How long to stay idle before ending; nil for no limit.
  var idleLimit: Duration?
  var pamService = "localauth"
  var pamDirectory: String?
  /// The directories of the manifests of authenticators.
  var authenticators = AuthenticatorFiles.systemDirectories
  /// The directory of the sockets of their units; used by the system service only.
  var authenticatorSockets = RuntimePaths.systemAuthenticatorSockets
  /// The longest a PAM conversation may take.
  var pamLimit = Duration.seconds(120)
  /// The limits for peers.
  var limits = WireLimits()
  /// The limits for one user's data on disk.
  var quota = UserQuota()

  static let usage = """
    usage: localauthd [options]

    Serves the devices of the user who runs it. Clients start it when they need it.
    With --system it serves every user, each with devices of its own.

      --system             be the service of the system: state in /var/lib/localauth, socket
                           /run/localauth/socket, PAM workers of root's; started as root,
                           it makes both and drops all rights
      --account NAME       the account that it becomes then; with --system only (localauth)
      --home DIR           where the state is kept
      --socket PATH        where clients connect
      --idle-exit SECONDS  end when nobody was served for so long; 0 for never
                           (60; with --system 0)
      --pam-service NAME   the PAM service of the user's own machine (localauth)
      --pam-confdir DIR    read that service from DIR instead of the system's directories
      --pam-limit SECONDS  break a PAM conversation off that takes longer (120)
      --authenticators DIR read the manifests of authenticators from DIR instead of
                           /etc/localauth/authenticators and
                           /usr/lib/localauth/authenticators
      --authenticator-sockets DIR
                           where root's units of authenticators listen; with --system
                           only (/run/localauth/authenticators)
      --pam-socket PATH    where root's PAM workers listen; with --system only
                           (/run/localauth-pam/socket)
      --sync-socket PATH   where programs that are connected to hubs are started; with
                           --system only (/run/localauth/sync)
      --journal-socket PATH
                           where the journal listens; with --system only
                           (/run/systemd/journal/socket)
      --administration FILE
                           who may administer devices; with --system only
                           (/etc/localauth/administration.json)
      --connections-max N  turn further connections away (1024 of a user, 4096 in all;
                           with --system 128 of a user)
      --user-connections-max N
                           turn further connections of one user away
      --user-items-max N   refuse further items of a user who has N on all devices;
                           0 for no limit; with --system only (10000)
      --user-item-bytes-max BYTES
                           refuse further items of a user whose items take so many
                           bytes; 0 for no limit; with --system only (67108864)
      --user-audit-max N   keep the newest N lines of each user's audit; with --system
                           only (20000)
      --partial-frame-limit SECONDS
                           close a connection that leaves a message unfinished so long (10)
      --ready-fd N         write one byte to descriptor N once clients are served
      --version            print the version
      --help               print this

    localauthd(8) tells more.

    """

  private static let systemOnly: Set<String> = [
    "--account", "--authenticator-sockets", "--pam-socket", "--sync-socket", "--journal-socket",
    "--administration", "--user-items-max",
    "--user-item-bytes-max", "--user-audit-max",
  ]

  private static let valued: Set<String> = systemOnly.union([
    "--authenticators", "--home", "--socket", "--idle-exit", "--pam-service", "--pam-confdir",
    "--pam-limit",
    "--connections-max", "--user-connections-max", "--partial-frame-limit", "--ready-fd",
  ])

  static func parse(_ arguments: [String]) -> Result {
    var values: [String: String] = [:]
    var isSystem = false
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": return .help
      case "--version": return .version
      case "--system": isSystem = true
      case _ where valued.contains(word):
        guard let value = rest.popFirst() else { return .failure("\(word) needs a value.") }
        values[word] = value
      default: return .failure("'\(word)' is no option; see localauthd --help.")
      }
    }
    return from(values, isSystem)
  }

  private static func from(_ values: [String: String], _ isSystem: Bool) -> Result {
    if !isSystem, let option = values.keys.sorted().first(where: systemOnly.contains) {
      return .failure("\(option) is for the service of the system: say --system too.")
    }
    do throws(Misuse) {
      var configuration = try Configuration(paths: paths(values, isSystem))
      configuration.isSystem = isSystem
      if isSystem { configuration.limits = .system }
      configuration.account = values["--account"] ?? configuration.account
      configuration.pamSocket = values["--pam-socket"] ?? configuration.pamSocket
      configuration.syncSocket = values["--sync-socket"] ?? configuration.syncSocket
      configuration.journal = values["--journal-socket"] ?? configuration.journal
      configuration.administration = values["--administration"] ?? configuration.administration
      let idle = try number("--idle-exit", values, 0...UInt32.max) ?? (isSystem ? 0 : 60)
      configuration.idleLimit = idle == 0 ? nil : .seconds(Int64(idle))
      configuration.pamService = values["--pam-service"] ?? configuration.pamService
      configuration.pamDirectory = values["--pam-confdir"]
      configuration.authenticators =
        values["--authenticators"].map { [$0] } ?? configuration.authenticators
      configuration.authenticatorSockets =
        values["--authenticator-sockets"] ?? configuration.authenticatorSockets
      if let limit = try number("--pam-limit", values, 1...3600) {
        configuration.pamLimit = .seconds(Int64(limit))
      }
      if let most = try number("--connections-max", values, 1...1_000_000) {
        configuration.limits.connectionsMax = Int(most)
        configuration.limits.connectionsPerUserMax =
          isSystem ? min(Int(most), configuration.limits.connectionsPerUserMax) : Int(most)
      }
      if let most = try number("--user-connections-max", values, 1...1_000_000) {
        configuration.limits.connectionsPerUserMax = Int(most)
      }
      if isSystem { configuration.quota = try quota(values) }
      if let limit = try number("--partial-frame-limit", values, 1...3600) {
        configuration.limits.partialFrameLimit = .seconds(Int64(limit))
      }
      configuration.readyDescriptor =
        try number("--ready-fd", values, 3...UInt32(Int32.max)).map { Int32($0) }
      return .run(configuration)
    } catch {
      return .failure(error.message)
    }
  }

  private static func quota(_ values: [String: String]) throws(Misuse) -> UserQuota {
    var quota = UserQuota.system
    if let most = try number("--user-items-max", values, 0...UInt32.max) {
      quota.itemsMax = most == 0 ? nil : Int64(most)
    }
    if let most = try number("--user-item-bytes-max", values, 0...UInt32.max) {
      quota.itemBytesMax = most == 0 ? nil : Int64(most)
    }
    if let most = try number("--user-audit-max", values, 1000...10_000_000) {
      quota.auditLinesKept = Int64(most)
    }
    return quota
  }

  private struct Misuse: Error {
    var message: String
  }

  private static func paths(
    _ values: [String: String],
    _ isSystem: Bool
  ) throws(Misuse) -> RuntimePaths {
    do throws(RuntimePathsError) {
      if isSystem {
        return try RuntimePaths(systemHome: values["--home"], socket: values["--socket"])
      }
      return try RuntimePaths(home: values["--home"], socket: values["--socket"])
    } catch {
      throw Misuse(message: "\(error)")
    }
  }

  private static func number(
    _ option: String,
    _ values: [String: String],
    _ range: ClosedRange<UInt32>
  ) throws(Misuse) -> UInt32? {
    guard let text = values[option] else { return nil }
    guard let number = UInt32(text), range.contains(number) else {
      throw Misuse(
        message: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound)."
      )
    }
    return number
  }

  private init(paths: RuntimePaths) { self.paths = paths }
}
