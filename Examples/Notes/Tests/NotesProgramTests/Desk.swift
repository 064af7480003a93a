import Foundation
import Testing

/// A home with a daemon of its own and a simulated device, which `authctl` drives.
final class Desk {
  /// The directory that has `authctl` and `localauthd`: the one that is named, or else one of the path; nil if there is none.
  static let programs: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment["LOCALAUTH_PROGRAMS"] { return named }
    let path = (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
    return path.first { FileManager.default.isExecutableFile(atPath: "\($0)/authctl") }
  }()

  let home: URL
  /// Where the programs of the app are.
  private let own: String
  private var program: String { "\(own)/notes" }
  private let environment: [String: String]

  /// A home with the device `phone`.
  ///
  /// - Parameter rules: Which programs have which access groups, as a daemon reads it; nil for one group of all. `OWN`
  ///   is where the programs of the app are.
  /// - Throws: `Failure`, or errors of the directory.
  init(rules: String? = nil) throws {
    let programs = try #require(Self.programs)
    home = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID())")
    let temporary = home.appendingPathComponent("tmp").path
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    own = Self.own
    environment = [
      "PATH": "\(programs):/usr/bin:/bin", "HOME": home.path, "XDG_RUNTIME_DIR": home.path,
      "TMPDIR": temporary, "LOCALAUTH_DEVICE": "phone", "LOCALAUTH_ALLOW_SIMULATED": "1",
      "TERM": "xterm", "LC_ALL": "C.UTF-8",
    ]
    if let rules {
      let directory = home.appendingPathComponent(".config/localauth")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try rules.replacingOccurrences(of: "OWN", with: own).write(
        to: directory.appendingPathComponent("entitlements.json"),
        atomically: true,
        encoding: .utf8
      )
    }
    try makeDevice("phone")
  }

  /// The programs are beside the tests.
  private static let own: String = {
    let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: tests ?? "").deletingLastPathComponent().path
  }()

  /// Whether rules may name the programs of the app: nobody but root could have put others in their place.
  static let isRoots: Bool = {
    var path = "\(own)/notes-open"
    while path != "/" {
      var status = stat()
      guard stat(path, &status) == 0, status.st_uid == 0, status.st_mode & 0o022 == 0 else {
        return false
      }
      path = URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
    return true
  }()

  deinit {
    _ = try? run("authctl daemon stop")
    try? FileManager.default.removeItem(at: home)
  }

  func makeDevice(_ name: String) throws {
    try run("authctl device create \(name) --finger right-index --passcode-stdin", "2468\n")
  }

  /// Starts the app; on another device, if one is named.
  func start(on device: String? = nil, allowing simulated: String = "1") throws -> PseudoTerminal {
    var environment = environment
    environment["LOCALAUTH_ALLOW_SIMULATED"] = simulated
    if let device {
      environment["LOCALAUTH_DEVICE"] = device
      environment["HOME"] = home.appendingPathComponent(device).path
      // One daemon for both.
      environment["LOCALAUTH_HOME"] = home.appendingPathComponent(".local/state/localauth").path
    }
    return try PseudoTerminal([program], environment)
  }

  /// Starts the app and makes ann's account; waits until it shows `words`, too.
  func startAsAnn(shows words: String = "") throws -> PseudoTerminal {
    let terminal = try start()
    try terminal.wait(for: "Nobody has an account here yet")
    try terminal.answer("Name: ", "ann")
    try terminal.answer("New password, 8 characters or more: ", "open sesame")
    try terminal.answer("Once more: ", "open sesame")
    try terminal.wait(for: "Notes of ann")
    if !words.isEmpty { try terminal.wait(for: words) }
    try terminal.wait(for: "> ")
    return terminal
  }

  /// Has a program of the app or of LocalAuth do something, and returns what it printed.
  @discardableResult
  func run(_ command: String, _ input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      command.replacingOccurrences(of: "notes ", with: "\(program) ")
        .replacingOccurrences(of: "notes-open ", with: "\(own)/notes-open "),
    ]
    process.environment = environment
    process.currentDirectoryURL = home
    let (typed, printed) = (Pipe(), Pipe())
    process.standardInput = typed
    process.standardOutput = printed
    process.standardError = printed
    try process.run()
    try typed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try typed.fileHandleForWriting.close()
    let output = String(
      decoding: printed.fileHandleForReading.readDataToEndOfFile(),
      as: UTF8.self
    )
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw PseudoTerminal.Failure(description: "\(command): \(output)")
    }
    return output
  }

  /// What a command says that is refused; nil if it is not.
  func failure(_ command: String) -> String? {
    do { try run(command) } catch { return "\(error)" }
    return nil
  }

  /// Lays a finger on the sensor once it is asked for.
  func touch(_ device: String = "phone", with finger: String = "right-index") throws {
    try run("authctl --device \(device) sensor touch \(finger) --wait")
  }

  func unlock() throws { try run("authctl device unlock --stdin", "2468\n") }

  /// The files of the home that have a text, also those of the daemon and temporary ones.
  func files(with text: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { name in
      let content = FileManager.default.contents(atPath: home.appendingPathComponent(name).path)
      return content?.range(of: Data(text.utf8)) != nil
    }
  }
}
