import Glibc

/// The `openssl` program in a directory of its own.
public final class OpenSSLProgram: Sendable {
  /// Whether there is one.
  public static let isInstalled = OpenSSLProgram().run(["version"])

  private let directory: String

  /// The program in a new directory.
  public init() {
    var template = Array("/tmp/localauth-test-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    _ = unsafe mkdtemp(&template)
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { _ = start(["rm", "-rf", "--", directory]) }

  /// Whether the program ran with these arguments and succeeded.
  public func run(_ arguments: [String]) -> Bool {
    start(["sh", "-c", "cd \"$0\" && exec openssl \"$@\" >output 2>&1", directory] + arguments)
  }

  /// What it said in the last run.
  public var output: String { String(decoding: read("output"), as: UTF8.self) }

  /// Writes a file into the directory.
  public func write(_ bytes: [UInt8], to name: String) {
    // SAFETY: the path is a C string for the call, and the bytes are the array's own.
    let file = unsafe open("\(directory)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = unsafe Glibc.write(file, bytes, bytes.count)
    close(file)
  }

  /// What a file in the directory has; nothing where there is none.
  public func read(_ name: String) -> [UInt8] {
    // SAFETY: the path is a C string for the call, and the array has the room that is named.
    let file = unsafe open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    return unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
      count = max(0, unsafe Glibc.read(file, buffer.baseAddress, buffer.count))
    }
  }

  private func start(_ arguments: [String]) -> Bool {
    // SAFETY: the copies are freed after the call that reads them.
    var copies = unsafe arguments.map { unsafe strdup($0) }
    unsafe copies.append(nil)
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    var child: pid_t = 0
    var status: Int32 = -1
    guard let program = unsafe copies[0],
      unsafe posix_spawnp(&child, program, nil, nil, copies, environ) == 0
    else { return false }
    return unsafe waitpid(child, &status, 0) == child && status == 0
  }
}
