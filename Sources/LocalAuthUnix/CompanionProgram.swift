import Glibc

/// A program that is installed beside the daemon.
///
/// It is searched where the daemon is, and trusted likewise.
public struct CompanionProgram: Sendable {
  private let path: String

  /// Finds the program called `name`; nil if it is not installed.
  ///
  /// - Throws: ``LaunchError`` if others could have put it there.
  public init?(
    _ name: String,
    in environment: ProcessEnvironment = .current
  ) throws(LaunchError) {
    let candidates = try DaemonExecutable.candidates(in: environment).map {
      directory(ofPath: $0) + "/" + name
    }
    guard let found = try DaemonExecutable.first(of: candidates) else { return nil }
    path = found.path
  }

  /// Starts it as a child of init, so that it outlives this process.
  ///
  /// It gets `--ready-fd 3`, and writes one byte there once it works or has failed.
  ///
  /// - Parameters:
  ///   - arguments: Its words, all of which everybody can read.
  ///   - environment: The whole environment, as `NAME=value`.
  ///   - errors: The descriptor that is its standard error.
  ///   - timeout: How long to wait.
  /// - Returns: the byte that it wrote; nil if it ended without, or took longer.
  /// - Throws: the error of the call that failed.
  public func start(
    _ arguments: [String],
    environment: [String],
    errors: Int32,
    within timeout: Duration
  ) throws(SystemError) -> UInt8? {
    let pipe = try Pipe()
    let request = SpawnRequest(
      executable: path,
      arguments: ["--ready-fd", "3"] + arguments,
      environment: environment,
      descriptors: [
        .null, .null, .duplicate(of: errors), .duplicate(of: pipe.writer.rawValue),
      ]
    )
    try ChildProcess.spawnDetached(request)
    let reader = pipe.takeReader()
    guard try waitForEvents(POLLIN, on: reader.rawValue, until: .after(timeout)) else {
      return nil
    }
    return try reader.readAvailable(limit: 1).first
  }

  /// Runs it to its end; it ends when this thread does.
  ///
  /// - Parameters:
  ///   - arguments: Its words, all of which everybody can read.
  ///   - environment: The whole environment, as `NAME=value`.
  ///   - output: The descriptor that is its standard output.
  ///   - errors: The descriptor that is its standard error.
  /// - Returns: how it ended.
  /// - Throws: the error of the call that failed.
  public func run(
    _ arguments: [String],
    environment: [String],
    output: Int32,
    errors: Int32
  ) throws(SystemError) -> ChildProcess.Exit {
    var request = SpawnRequest(
      executable: path,
      arguments: arguments,
      environment: environment,
      descriptors: [.null, .duplicate(of: output), .duplicate(of: errors)]
    )
    request.diesWithParent = true
    var child = try ChildProcess.spawn(request)
    return try child.waitForExit()
  }
}
