import CLocalAuthLinux
import Glibc

extension StateDirectory {
  /// The name of the lock in it.
  static let lockName = "lock"
  /// The name of the key that everything else in it is encrypted under.
  package static let keyName = "device.key"
  /// The name of its database.
  package static let databaseName = "state.sqlite"
  /// The directory in it in which authenticators keep their own files.
  package static let authenticatorsName = "authenticators"

  /// Whether what lies in an open directory is the state of a service, or leads to one.
  ///
  /// A state directory is known by two of its files, wherever it is and whatever the environment says; the directories of
  /// the system's service, and those of sockets, are known by their paths.
  ///
  /// - Parameter directory: The directory.
  /// - Returns: whether it is; false if it cannot be looked at.
  package static func contains(_ directory: borrowing FileDescriptor) -> Bool {
    guard let status = status(of: directory.rawValue) else { return false }
    let places = placesOfServices
    return hasState(directory, status) || places.contains(FileIdentity(status))
      || isBelow(directory, FileIdentity(status), places)
  }

  /// The same of the directory of `path`.
  package static func contains(directoryOf path: String) -> Bool {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    // SAFETY: the string is a C string for the call.
    let opened = unsafe open(LocalAuthUnix.directory(ofPath: path), flags)
    guard opened >= 0 else { return false }
    let directory = FileDescriptor(owning: opened)
    return contains(directory)
  }

  /// Whether two of the files are there, and are of the directory's owner: in one that all can write to, others could put
  /// files of such names.
  private static func hasState(_ directory: borrowing FileDescriptor, _ status: stat) -> Bool {
    var found = 0
    for name in [lockName, keyName, databaseName] {
      guard let file = Self.status(of: name, in: directory) else { continue }
      if file.st_mode & S_IFMT == S_IFREG, file.st_uid == status.st_uid { found += 1 }
    }
    return found > 1
  }

  /// Whether it is one of an authenticator's or below that, or below one of the services' places.
  private static func isBelow(
    _ directory: borrowing FileDescriptor,
    _ identity: FileIdentity,
    _ places: [FileIdentity]
  ) -> Bool {
    // SAFETY: the name is a C string for the call.
    let opened = unsafe la_entry_hold(directory.rawValue, "..")
    guard opened >= 0 else { return false }
    let above = FileDescriptor(owning: opened)
    guard let status = status(of: above.rawValue), FileIdentity(status) != identity else {
      return false
    }
    if let authenticators = Self.status(of: authenticatorsName, in: above),
      FileIdentity(authenticators) == identity, hasState(above, status)
    {
      return true
    }
    return places.contains(FileIdentity(status)) || isBelow(above, FileIdentity(status), places)
  }

  /// The directories of the system's service, and those of the sockets of services.
  private static var placesOfServices: [FileIdentity] {
    var places = [
      RuntimePaths.system.home, RuntimePaths.system.socketDirectory,
      LocalAuthUnix.directory(ofPath: RuntimePaths.systemPAMSocket), "/var/lib/localauth-bus",
      "/run/user/\(geteuid())/localauth",
    ]
    if let runtime = ProcessEnvironment.current.absolutePath("XDG_RUNTIME_DIR") {
      places.append(runtime + "/localauth")
    }
    return places.compactMap { path in
      var status = stat()
      // SAFETY: the string and the structure are valid for the call.
      return unsafe stat(path, &status) == 0 ? FileIdentity(status) : nil
    }
  }

  private static func status(of descriptor: Int32) -> stat? {
    var status = stat()
    // SAFETY: the structure lives for the call.
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
  }

  private static func status(of name: String, in directory: borrowing FileDescriptor) -> stat? {
    var status = stat()
    // SAFETY: string and structure are valid for the call.
    return unsafe fstatat(directory.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      ? status : nil
  }
}

extension DirectoryEntry {
  /// Whether it lies among a service's state, see ``StateDirectory/contains(_:)``.
  package var isOfState: Bool { StateDirectory.contains(parent) }
}
