import LocalAuth
import LocalAuthCore
import LocalAuthFiles
import LocalAuthUnix

extension VerbContext {
  /// The protected files of the device that was chosen.
  func protectedFiles() throws(Failure) -> ProtectedFiles {
    BuiltInCiphers.prepare()
    // Whatever keeps the daemon from being reached is said as all verbs say it.
    _ = try connect()
    let device = Device(try device(), servedBy: try address())
    do throws(FileFailure) { return try ProtectedFiles(on: device) } catch {
      throw Failure(error, "")
    }
  }
}

extension MountTable {
  /// The file systems that this process sees now.
  static func seen() throws(Failure) -> MountTable {
    do throws(SystemError) { return try current() } catch {
      throw Failure(.internalError, "\(error).")
    }
  }
}

extension Failure {
  /// Why the file at `path` cannot be used.
  init(_ failure: FileFailure, _ path: String) {
    // Inside a mount no file looks protected.
    if failure == .file(.notProtected),
      let mount = try? MountTable.current().mount(showing: path)
    {
      self.init(failure.outcome, mount.sentence(about: path))
    } else {
      self.init(failure.outcome, failure.message(about: path))
    }
  }

  /// Runs `body`, which is about the file at `path`.
  static func translating<Value: ~Copyable>(
    _ path: String,
    _ body: () throws(FileFailure) -> Value
  ) throws(Failure) -> Value {
    do throws(FileFailure) { return try body() } catch { throw Failure(error, path) }
  }

  /// Why the file at `path` cannot be replaced; it is what it was.
  init(replacing path: String, _ failure: FileFailure) {
    self.init(failure, path)
    if failure.refusedContent != nil { message += " What was there is unchanged." }
  }
}
