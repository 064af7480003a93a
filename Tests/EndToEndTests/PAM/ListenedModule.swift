import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Synchronization
import Testing

/// The PAM module, and whoever hears what it asks its service for.
final class ListenedModule: Sendable {
  private let scratch = Scratch()
  private let listener: LocalSocket
  let module: PAMModule

  init(_ logins: TestLogins) throws {
    Files.setMode(0o755, of: scratch.path)
    listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    listener.listen()
    module = try PAMModule(asking: scratch.file("socket"), logins: logins)
  }

  /// Lets programs connect that are not root.
  func admitEverybody() { Files.setMode(0o666, of: scratch.file("socket")) }

  /// What the module asks for, where pamtester runs behind these words, says these items, and has `input` as its
  /// descriptor 0; it gets no answer.
  func asked(
    _ words: [String],
    _ items: [String],
    service: String,
    for name: String,
    input: Int32? = nil
  ) throws -> JSONValue {
    let heard = Mutex<[UInt8]>([])
    let server = try SystemThread(name: "listener") { [listener] in
      guard (try? Poll.wait(for: listener.descriptor, until: .after(.seconds(60)))) == true else {
        return
      }
      let peer = accept(listener.descriptor, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 65_536)
      // SAFETY: the array's storage is valid for the call and `count` bytes long.
      let count = unsafe recv(peer, &bytes, bytes.count, 0)
      close(peer)
      heard.withLock { $0 = Array(bytes.prefix(max(0, count - 1))) }
    }
    let command =
      words + ["/usr/bin/pamtester"] + items.flatMap { ["-I", $0] } + [
        service, name, "authenticate",
      ]
    let program = try RunningProgram(
      SpawnRequest(
        executable: command[0],
        arguments: Array(command.dropFirst()),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [input.map { .duplicate(of: $0) } ?? .null, .null, .null]
      )
    )
    server.join()
    #expect(try program.waitForExit() != .status(0))
    let frame = heard.withLock { $0 }
    return try JSONValue(parsing: frame.span)["parameters"] ?? [:]
  }
}
