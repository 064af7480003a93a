import LocalAuthUnix
import LocalAuthWire

/// What the command line says.
struct Configuration {
  enum Result {
    case run(Configuration)
    case help
    case version
    case failure(String)
  }

  var paths: RuntimePaths
  /// The descriptor on which to say that clients are served; nil when nobody waits for that.
  var readyDescriptor: Int32?
  /// How long to wait for somebody to serve; nil for ever.
  var idleLimit: Duration?
  var pamService = "localauth"
  var pamDirectory: String?
  /// The longest a PAM conversation may take.
  var pamLimit = Duration.seconds(120)
  /// What peers may do.
  var limits = WireLimits()

  static let usage = """
    usage: localauthd [options]

    Serves the devices of the user who runs it. Clients start it when they need it.

      --home DIR           where the state is kept
      --socket PATH        where clients connect
      --idle-exit SECONDS  end when nobody was served for so long; 0 for never (60)
      --pam-service NAME   the PAM service of the user's own machine (localauth)
      --pam-confdir DIR    read that service from DIR instead of the system's directories
      --pam-limit SECONDS  break a PAM conversation off that takes longer (120)
      --connections-max N  turn further connections away (1024 of a user, 4096 in all)
      --partial-frame-limit SECONDS
                           close a connection that leaves a message unfinished so long (10)
      --ready-fd N         write one byte to descriptor N once clients are served
      --version            print the version
      --help               print this

    localauthd(8) tells more.

    """

  private static let valued: Set<String> = [
    "--home", "--socket", "--idle-exit", "--pam-service", "--pam-confdir", "--pam-limit",
    "--connections-max", "--partial-frame-limit", "--ready-fd",
  ]

  static func parse(_ arguments: [String]) -> Result {
    var values: [String: String] = [:]
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": return .help
      case "--version": return .version
      case _ where valued.contains(word):
        guard let value = rest.popFirst() else { return .failure("\(word) needs a value.") }
        values[word] = value
      default: return .failure("'\(word)' is no option; see localauthd --help.")
      }
    }
    return from(values)
  }

  private static func from(_ values: [String: String]) -> Result {
    do throws(Misuse) {
      var configuration = try Configuration(paths: paths(values))
      let idle = try number("--idle-exit", values, 0...UInt32.max) ?? 60
      configuration.idleLimit = idle == 0 ? nil : .seconds(Int64(idle))
      configuration.pamService = values["--pam-service"] ?? configuration.pamService
      configuration.pamDirectory = values["--pam-confdir"]
      if let limit = try number("--pam-limit", values, 1...3600) {
        configuration.pamLimit = .seconds(Int64(limit))
      }
      if let most = try number("--connections-max", values, 1...1_000_000) {
        configuration.limits.connectionsMax = Int(most)
        configuration.limits.connectionsPerUserMax = Int(most)
      }
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

  private struct Misuse: Error {
    var message: String
  }

  private static func paths(_ values: [String: String]) throws(Misuse) -> RuntimePaths {
    do throws(RuntimePathsError) {
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
