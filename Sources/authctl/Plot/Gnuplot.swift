import Glibc
import LocalAuthCore
import LocalAuthUnix

/// The program that draws figures, searched in PATH as the shell does.
struct Gnuplot {
  private let executable: String
  private let home: String?

  /// Finds the program in the PATH of `environment`; the error says what to install.
  init(in environment: ProcessEnvironment) throws(Failure) {
    let directories = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    let candidates = directories.filter { $0.first == "/" }.map { "\($0)/gnuplot" }
    // SAFETY: the string is a C string for the duration of the call.
    let found = candidates.first { unsafe access($0, X_OK) == 0 }
    guard let found else {
      throw Failure(
        .badConfiguration,
        "--plot needs gnuplot, which is not there. Install it: apt install gnuplot-nox"
      )
    }
    executable = found
    home = environment["HOME"]
  }

  /// Draws `figure` into `draft` and keeps the draft.
  func draw(
    _ figure: Figure,
    as format: PictureFile.Format,
    into draft: FileDraft
  ) throws(Failure) {
    let status: ChildProcess.Exit
    let said: String
    do throws(SystemError) {
      let commands = try ScratchFile(figure.commands(format))
      let complaints = try ScratchFile("")
      // The user's start-up files must not change the picture.
      let request = SpawnRequest(
        executable: executable,
        arguments: ["-d", "-"],
        environment: ["LC_ALL=C.UTF-8"] + (home.map { ["HOME=\($0)"] } ?? []),
        descriptors: [
          .duplicate(of: commands.descriptor), .duplicate(of: draft.descriptor),
          .duplicate(of: complaints.descriptor),
        ]
      )
      var program = try ChildProcess.spawn(request)
      status = try program.waitForExit()
      said = complaints.firstLine()
    } catch {
      throw Failure(.internalError, "gnuplot could not be run: \(error)")
    }
    guard status == .status(0), said.isEmpty else {
      throw Failure(.internalError, "gnuplot failed: \(said.isEmpty ? "\(status)" : said)")
    }
    // On a full disk gnuplot ends with 0 all the same.
    guard format.isWhole(draft.end(PictureFile.Format.endSize)) else {
      throw Failure(
        .internalError,
        "gnuplot did not finish the picture, so none was written. Is the disk full?"
      )
    }
    try draft.keep()
  }
}
