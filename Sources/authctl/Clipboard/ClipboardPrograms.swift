import Glibc
import LocalAuthUnix

/// The programs that reach the clipboard of the session: wl-clipboard under Wayland, else xclip or
/// xsel.
struct ClipboardPrograms: Sendable {
  /// A program with its arguments.
  struct Call: Sendable, Equatable {
    let executable: String
    let arguments: [String]
  }

  /// Reads what to offer from standard input, and offers it for as long as it runs.
  let copy: Call
  /// Prints what the clipboard holds.
  let paste: Call
  /// Empties the clipboard.
  let clear: Call
  /// The environment that they need.
  let environment: [String]

  /// Why there is no clipboard.
  enum Missing: Error, Equatable {
    case session
    case program(String)
  }

  /// Finds the programs; they are searched in PATH as the shell does.
  init(in environment: ProcessEnvironment) throws(Missing) {
    self.environment = Self.environment(from: environment)
    if environment["WAYLAND_DISPLAY"] != nil {
      guard let copy = Self.find("wl-copy", environment),
        let paste = Self.find("wl-paste", environment)
      else { throw .program("wl-clipboard") }
      self.copy = Call(executable: copy, arguments: ["--foreground", "--type", "text/plain"])
      self.paste = Call(executable: paste, arguments: ["--no-newline"])
      clear = Call(executable: copy, arguments: ["--clear"])
    } else if environment["DISPLAY"] != nil {
      if let xclip = Self.find("xclip", environment) {
        let selection = ["-selection", "clipboard"]
        copy = Call(executable: xclip, arguments: ["-quiet"] + selection)
        paste = Call(executable: xclip, arguments: ["-out"] + selection)
        clear = Call(executable: xclip, arguments: selection + ["/dev/null"])
      } else if let xsel = Self.find("xsel", environment) {
        copy = Call(executable: xsel, arguments: ["--clipboard", "--nodetach", "--input"])
        paste = Call(executable: xsel, arguments: ["--clipboard", "--output"])
        clear = Call(executable: xsel, arguments: ["--clipboard", "--clear"])
      } else {
        throw .program("xclip")
      }
    } else {
      throw .session
    }
  }

  private static func find(_ name: String, _ environment: ProcessEnvironment) -> String? {
    let directories = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    // SAFETY: the string is a C string for the duration of the call.
    return directories.filter { $0.first == "/" }.map { "\($0)/\(name)" }
      .first { unsafe access($0, X_OK) == 0 }
  }

  /// The variables by which these programs, and the keeper that runs them, find the session.
  private static func environment(from environment: ProcessEnvironment) -> [String] {
    var variables = [
      "PATH", "HOME", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DISPLAY", "XAUTHORITY",
    ].compactMap { name in environment[name].map { "\(name)=\($0)" } }
    // wl-copy keeps what it offers in a file: there it is in memory and this user's alone.
    if let runtime = environment["XDG_RUNTIME_DIR"] { variables.append("TMPDIR=\(runtime)") }
    return variables
  }
}
