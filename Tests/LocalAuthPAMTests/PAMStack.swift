import Glibc
import LocalAuthWire
import Testing

/// A folder with PAM service files and a scripted module of its own, gone with the value.
final class PAMStack {
  let folder: String
  /// The module to name in service files, a copy of its own so that nobody else maps it.
  var module: String { "\(folder)/pam_scripted.so" }

  /// What the compiler makes of the module's source; made once.
  private static let compiledModule = Result { () throws -> [UInt8] in
    let folder = try temporaryFolder()
    defer { _ = Program.run("/bin/rm", ["-rf", folder]) }
    return try ProcessMemory.read(compile("pam_scripted.c", ["-shared", "-fPIC"], in: folder))
  }

  init() throws {
    folder = try Self.temporaryFolder()
    let bytes = try Self.compiledModule.get()
    let file = try unsafe #require(fopen(module, "w"))
    #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
    unsafe fclose(file)
  }

  deinit {
    _ = Program.run("/bin/rm", ["-rf", folder])
  }

  /// Compiles one of the test's C sources in `folder`, and returns the product's path.
  static func compile(_ name: String, _ flags: [String], in folder: String) throws -> String {
    let product = "\(folder)/\(name).compiled"
    let arguments = flags + ["-Wall", "-Wextra", "-Werror", "-o", product, source(name)]
    try #require(Program.run("/usr/bin/cc", arguments) == .status(0))
    return product
  }

  private static func temporaryFolder() throws -> String {
    var template = Array("/tmp/la-pam-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil, "no temporary folder")
    return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
  }

  /// Writes the service file `name`.
  func write(_ lines: String, to name: String = "service") throws {
    let file = try unsafe #require(fopen("\(folder)/\(name)", "w"))
    unsafe fputs(lines, file)
    unsafe fclose(file)
  }

  /// Writes a service whose module does `auth`, and `account` for the account.
  func script(auth: String, account: String = "", named name: String = "service") throws {
    try write("auth required \(module) \(auth)\naccount required \(module) \(account)\n", to: name)
  }

  /// A service of this stack.
  func service(_ name: String = "service") throws -> PAMService {
    try #require(PAMService(name, in: folder))
  }

  /// The path of a service file that we ship.
  static func shippedService(_ name: String) -> String { root(above: 3) + "/pam/\(name)" }

  private static func source(_ name: String) -> String { root(above: 1) + "/Modules/\(name)" }

  private static func root(above levels: Int, here: String = #filePath) -> String {
    here.split(separator: "/").dropLast(levels).reduce("") { "\($0)/\($1)" }
  }
}
