import Glibc
import LocalAuthUnix

/// The start of the service for all users without a service manager that prepares it.
///
/// Root makes the socket, which nobody else may replace, and the state directory; then the process
/// becomes the service's account, and is what it is under systemd.
enum SystemStart {
  /// If this process is root: checks that it can become the account called `name`, and leaves what
  /// it has of whoever started it but the descriptors `kept`.
  ///
  /// Call it before anything is made or opened.
  static func begin(account name: String, keeping kept: (Int32?, Int32?)) throws(SystemStartError) {
    guard geteuid() == 0 else { return }
    guard ServiceAccount(name) != nil else { throw .noAccount(name) }
    do throws(SystemError) { try ServiceAccount.leaveStarter(keeping: kept) } catch {
      throw .rights(error)
    }
  }

  /// Makes the socket at `paths`, to which every user may connect; the kernel tells who they are.
  static func listen(
    at paths: RuntimePaths,
    account: String
  ) throws(SystemStartError) -> Listener {
    let isOpen: Bool
    do throws(PrivateDirectoryError) {
      let isNew = try PrivateDirectory.createForAll(paths.socketDirectory)
      let directory = try PrivateDirectory(opening: paths.socketDirectory, creating: false)
      // What the account itself keeps there is not for root to guard.
      if geteuid() != 0 { try directory.openForAll() }
      isOpen = isNew || directory.isOpenForAll
    } catch {
      switch error {
      case .foreignOwner(_, 0), .system:
        guard geteuid() == 0 else { throw .notRoot(paths.socketDirectory, account) }
        throw .openSocketDirectory(error)
      case .foreignOwner, .writableByOthers, .notDirectory: throw .openSocketDirectory(error)
      }
    }
    // One that somebody closed may hold what others must not read.
    guard isOpen else { throw .closedSocketDirectory(paths.socketDirectory) }
    do throws(SystemError) {
      return try Listener(path: paths.socket, mode: 0o666)
    } catch {
      throw .system(error)
    }
  }

  /// If this process is root: makes the state directory and becomes the account called `name`.
  ///
  /// Call it before anything is read or a thread starts.
  static func dropRights(to name: String, home: String) throws(SystemStartError) {
    guard geteuid() == 0 else { return }
    guard let account = ServiceAccount(name) else { throw .noAccount(name) }
    do throws(PrivateDirectoryError) {
      try account.makeDirectory(home)
    } catch {
      throw .stateDirectory(error, account: name)
    }
    do throws(SystemError) { try account.become() } catch { throw .rights(error) }
  }
}

/// Why the service for all users did not start.
enum SystemStartError: Error, CustomStringConvertible {
  /// There is no such account.
  case noAccount(String)
  /// Root's directory of the socket is not root's alone.
  case openSocketDirectory(PrivateDirectoryError)
  /// Other users cannot reach a socket in that directory.
  case closedSocketDirectory(String)
  /// Only root may make the socket in that directory.
  case notRoot(String, String)
  /// The state directory is not the account's.
  case stateDirectory(PrivateDirectoryError, account: String)
  /// The rights of root could not be dropped.
  case rights(SystemError)
  /// The socket could not be made.
  case system(SystemError)

  /// One line that says what to do.
  var description: String {
    switch self {
    case .noAccount(let name):
      "there is no account \(name) to become: make it with systemd-sysusers, or with useradd "
        + "--system --home-dir /var/lib/localauth --shell /usr/sbin/nologin \(name)"
    case .openSocketDirectory(.foreignOwner(let path, let uid)):
      "\(path) belongs to user \(uid), who could put another socket there: run chown root \(path)"
    case .openSocketDirectory(.writableByOthers(let path, let mode)):
      "\(path) has mode \(String(mode, radix: 8)), so that others could put another socket there: "
        + "run chmod 755 \(path)"
    case .openSocketDirectory(let error): error.description
    case .closedSocketDirectory(let path):
      "\(path) is closed to other users, who could not reach the socket: name a directory of its own "
        + "with --socket, or run chmod 755 \(path)"
    case .notRoot(let path, let account):
      "\(path) is root's, so that nobody else can put a socket there: start localauthd --system as "
        + "root, which makes the socket and becomes \(account), or have a service manager pass the "
        + "socket (localauthd(8))"
    case .stateDirectory(.foreignOwner(let path, let uid), let account):
      "\(path) belongs to user \(uid) and not to \(account): run chown -R \(account): \(path)"
    case .stateDirectory(let error, _): error.description
    case .rights(let error): "the rights of root cannot be dropped: \(error)"
    case .system(let error): "the socket cannot be made: \(error)"
    }
  }
}
