import LocalAuthUnix

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

  static let usage = """
    usage: localauthd [options]

    Serves the devices of the user who runs it. Clients start it when they need it.

      --home DIR           where the state is kept
      --socket PATH        where clients connect
      --idle-exit SECONDS  end when nobody was served for so long; 0 for never (60)
      --pam-service NAME   the PAM service of the user's own machine (localauth)
      --pam-confdir DIR    read that service from DIR instead of the system's directories
      --ready-fd N         write one byte to descriptor N once clients are served
      --version            print the version
      --help               print this

    localauthd(8) tells more.

    """

  static func parse(_ arguments: [String]) -> Result {
    var values: [String: String] = [:]
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": return .help
      case "--version": return .version
      case "--home", "--socket", "--idle-exit", "--pam-service", "--pam-confdir", "--ready-fd":
        guard let value = rest.popFirst() else { return .failure("\(word) needs a value.") }
        values[word] = value
      default: return .failure("'\(word)' is no option; see localauthd --help.")
      }
    }
    return from(values)
  }

  private static func from(_ values: [String: String]) -> Result {
    let paths: RuntimePaths
    do throws(RuntimePathsError) {
      paths = try RuntimePaths(home: values["--home"], socket: values["--socket"])
    } catch {
      return .failure("\(error)")
    }
    guard let idle = UInt32(values["--idle-exit"] ?? "60") else {
      return .failure("--idle-exit takes a number of seconds.")
    }
    var configuration = Configuration(paths: paths)
    configuration.idleLimit = idle == 0 ? nil : .seconds(Int64(idle))
    configuration.pamService = values["--pam-service"] ?? configuration.pamService
    configuration.pamDirectory = values["--pam-confdir"]
    if let text = values["--ready-fd"] {
      guard let descriptor = Int32(text), descriptor > 2 else {
        return .failure("--ready-fd takes the number of an open descriptor above 2.")
      }
      configuration.readyDescriptor = descriptor
    }
    return .run(configuration)
  }

  private init(paths: RuntimePaths) { self.paths = paths }
}
