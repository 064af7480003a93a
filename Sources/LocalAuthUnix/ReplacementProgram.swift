import Glibc

/// A program that takes the place of this process, as execve(2) does: no shell, no child.
public struct ReplacementProgram: Sendable {
  /// Why a program was not run.
  public enum Failure: Error, Hashable, Sendable {
    /// There is no such file, or none on the search path.
    case notFound
    /// It is there and cannot be run; carries the error number.
    case notRunnable(Int32)

    /// The status by which shells and env(1) tell the two apart.
    public var status: Int32 {
      switch self {
      case .notFound: 127
      case .notRunnable: 126
      }
    }
  }

  /// The path of its file, absolute where the current directory is known.
  public let path: [UInt8]
  private let words: [[UInt8]]

  /// Finds the program that `words` begin with: by its path if that has a slash, else in the
  /// directories of `searchPath`.
  ///
  /// The words must not be empty and hold no zero byte, as those of a command line.
  public init(_ words: [[UInt8]], searching searchPath: [UInt8]) throws(Failure) {
    guard let name = words.first, !name.isEmpty else { throw .notFound }
    self.words = words
    let slash = UInt8(ascii: "/")
    guard !name.contains(slash) else {
      let problem = Self.problem(of: name)
      guard problem == 0 else { throw Self.failure(problem) }
      path = Self.absolute(name)
      return
    }
    var failure = Failure.notFound
    for directory in searchPath.split(
      separator: UInt8(ascii: ":"),
      omittingEmptySubsequences: false
    ) {
      // An empty entry is the current directory.
      let candidate = (directory.isEmpty ? [UInt8(ascii: ".")] : Array(directory)) + [slash] + name
      let problem = Self.problem(of: candidate)
      if problem == 0 {
        path = Self.absolute(candidate)
        return
      }
      // A directory that may not be entered does not hide a program further on.
      if problem != ENOENT, problem != ENOTDIR { failure = .notRunnable(problem) }
    }
    throw failure
  }

  /// Becomes the program; returns only if that failed.
  ///
  /// Open descriptors without close-on-exec, the user, the current directory and ignored signals stay
  /// as they are.
  ///
  /// - Parameter environment: the environment, in the form of `environ`.
  /// - Returns: why it failed.
  @unsafe
  public func replaceProcess(
    environment: UnsafePointer<UnsafeMutablePointer<CChar>?>
  ) -> Failure {
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe []
    for word in words { unsafe arguments.append(Self.duplicate(word)) }
    unsafe arguments.append(nil)
    let file = unsafe Self.duplicate(path)
    defer {
      for index in words.indices { unsafe free(arguments[index]) }
      unsafe free(file)
    }
    guard let file = unsafe file else { return .notRunnable(ENOMEM) }
    // SAFETY: the texts are terminated and the arrays end with nil; all live for the call.
    unsafe execve(file, &arguments, environment)
    return Self.failure(errno)
  }

  private static func failure(_ number: Int32) -> Failure {
    number == ENOENT || number == ENOTDIR ? .notFound : .notRunnable(number)
  }

  /// Why the file at `path` cannot be run by this user, as an error number; 0 if it can.
  private static func problem(of path: [UInt8]) -> Int32 {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    // SAFETY: the path is terminated, and both pointers are valid for the calls.
    guard unsafe stat(path, &status) == 0 else { return errno }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EACCES
    }
    return unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 ? 0 : errno
  }

  private static func absolute(_ path: [UInt8]) -> [UInt8] {
    guard path.first != UInt8(ascii: "/") else { return path }
    // SAFETY: getcwd allocates the C string, which is copied and freed here.
    guard let current = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(current) }
    let directory = unsafe UnsafeRawBufferPointer(start: current, count: strlen(current))
    let isDotted = path.starts(with: Array("./".utf8))
    return unsafe Array(directory) + [UInt8(ascii: "/")] + path.dropFirst(isDotted ? 2 : 0)
  }

  @unsafe
  private static func duplicate(_ text: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    // SAFETY: the array is terminated and lives for the call.
    unsafe strdup(text.map { CChar(bitPattern: $0) } + [0])
  }
}
