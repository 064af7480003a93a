import LocalAuthCore
import LocalAuthUnix

/// A user, by name or by number.
struct UserArgument: ExpressibleByArgument {
  /// What was typed.
  let text: String

  /// As long as the names that useradd(8) accepts, and some more for other sources of names.
  private static let bytesMax = 256

  init?(argument: String) {
    guard (1...Self.bytesMax).contains(argument.utf8.count), argument.first != "-",
      argument.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") })
    else { return nil }
    if argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard UInt32(argument: argument) != nil else { return nil }
    }
    text = argument
  }

  static var expectation: String { "a user's name or number" }

  /// Returns the user's number.
  ///
  /// A name is looked up by getent(1): this program is linked statically, and name services are
  /// libraries that only a dynamic program can load.
  func number() throws(Failure) -> UInt32 {
    if let number = UInt32(argument: text) { return number }
    let fields: [Substring]
    do throws(SystemError) {
      let answer = try ScratchFile("")
      let request = SpawnRequest(
        executable: "/usr/bin/getent",
        arguments: ["passwd", text],
        environment: [],
        descriptors: [.null, .duplicate(of: answer.descriptor), .null]
      )
      var program = try ChildProcess.spawn(request)
      _ = try program.waitForExit()
      fields = answer.firstLine().split(separator: ":", omittingEmptySubsequences: false)
    } catch {
      throw Failure(.internalError, "The user '\(text)' cannot be looked up: \(error)")
    }
    guard fields.count > 2, fields[0] == text, let number = UInt32(argument: String(fields[2]))
    else { throw Failure(.usage, "There is no user '\(text)'.") }
    return number
  }
}
