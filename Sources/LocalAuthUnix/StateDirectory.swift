/// A device's state directory, open and locked for as long as this value lives.
public struct StateDirectory: ~Copyable, Sendable {
  /// The open directory, for access to its files.
  public let directory: PrivateDirectory
  private let lock: FileLock

  /// The directory's path.
  public var path: String { directory.path }

  /// Opens the directory, creating it if necessary, and takes its lock without waiting.
  ///
  /// - Parameter path: an absolute path; its last component must not be a symbolic link.
  /// - Throws: ``StateDirectoryError``.
  public init(opening path: String) throws(StateDirectoryError) {
    let directory = try StateDirectory.openDirectory(path)
    lock = try StateDirectory.own(directory)
    self.directory = directory
  }

  /// The path of a file in it, for a library that opens by path.
  public func path(of name: String) -> String { directory.path(of: name) }

  private static func openDirectory(
    _ path: String
  ) throws(StateDirectoryError) -> PrivateDirectory {
    do throws(PrivateDirectoryError) {
      return try PrivateDirectory(opening: path)
    } catch {
      throw .unusable(error)
    }
  }

  private static func own(
    _ directory: borrowing PrivateDirectory
  ) throws(StateDirectoryError) -> FileLock {
    do throws(FileLockError) {
      return try FileLock(acquiring: lockName, in: directory)
    } catch {
      switch error {
      case .held(let owner): throw .alreadyOwned(path: directory.path, by: owner)
      case .system(let error): throw .unusable(.system(error))
      }
    }
  }
}

/// Why a state directory could not be opened.
public enum StateDirectoryError: Error, CustomStringConvertible {
  /// It is not a directory private to this user.
  case unusable(PrivateDirectoryError)
  /// A daemon, or a program that embeds the engine, has it open.
  case alreadyOwned(path: String, by: Int32?)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .unusable(let error): error.description
    case .alreadyOwned(let path, let owner):
      "\(path) is in use by \(owner.map { "process \($0)" } ?? "another process"): "
        + "connect to it, stop it, or name another directory with --home"
    }
  }
}
