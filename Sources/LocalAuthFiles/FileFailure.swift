import Glibc
public import LocalAuth
import LocalAuthClient
public import LocalAuthCore
public import LocalAuthFileFormat
package import LocalAuthUnix
import LocalAuthWire

/// Why a protected file cannot be used, or a file not be protected; none holds a secret.
public enum FileFailure: Error, Hashable, Sendable {
  /// What is wrong with the file, or ``ProtectedFileError/locked``.
  case file(ProtectedFileError)
  /// The device has no key for the file: it is another device's.
  case anotherDevice
  /// It is protected already.
  case alreadyProtected
  /// The path leads to a symbolic link.
  case symbolicLink
  /// It is no regular file.
  case notRegular
  /// It has several names, and the others would keep the old content; holds how many.
  case severalNames(Int)
  /// It belongs to another user.
  case foreignOwner
  /// It is a directory that others can write to, so that its default would not count.
  case othersCanWrite
  /// It was changed while it was read; nothing was done.
  case changed
  /// It is a database with a journal or a log beside it, without which it is not whole, or which somebody writes next.
  case hasJournal
  /// It is a journal of a database beside it, which is not whole without it.
  case isJournal
  /// It is a journal of a protected database, whose key alone opens it.
  case isJournalOfProtected
  /// It is a database with pages of so many bytes, and a protected one has at least 4096.
  case smallPages(Int)
  /// It is immutable, or can only be appended to.
  case immutable
  /// Nothing can take its place in its directory, which the caller cannot write to.
  case closedDirectory
  /// It is of the state that the service has to read itself.
  case serviceState
  /// It is in its place, and need not be after a power failure; holds the error number.
  case notDurable(code: Int32)
  /// The service made or opened no key.
  case service(AuthError)

  /// The state of the device keeps the file locked.
  public static let locked = FileFailure.file(.locked)

  /// The row of the outcome table.
  public var outcome: OutcomeCode {
    switch self {
    case .file(.locked): .itemLocked
    case .file(.busy), .changed, .hasJournal, .isJournal: .busy
    case .file(.damaged), .file(.notSealed), .file(.newer), .file(.keyIsUsedUp): .keychainError
    case .file(.notProtected), .alreadyProtected, .symbolicLink, .notRegular, .severalNames,
      .smallPages, .isJournalOfProtected:
      .usage
    case .file(.system("open", _)): refusedContent == nil ? .usage : .internalError
    case .file(.system), .notDurable: .internalError
    case .file(.wrongKey), .file(.readOnly), .file(.closed): .internalError
    case .foreignOwner, .othersCanWrite, .immutable, .closedDirectory, .serviceState: .notPermitted
    case .anotherDevice: .itemNotFound
    case .service(let error): error.outcome
    }
  }

  /// Why the file system did not take what was to be written; nil for any other failure.
  package var refusedContent: String? {
    guard case .file(let error) = self else { return nil }
    return error.refusedContent
  }

  /// What happened to the file that is called `name`, in one line.
  public func message(about name: String) -> String {
    switch self {
    case .file(let error): error.message(about: name)
    case .anotherDevice:
      "This device has no key for \(name): it is another device's, or was changed."
    case .alreadyProtected: "\(name) is protected already."
    case .symbolicLink: "\(name) is a symbolic link: name the file itself."
    case .notRegular: "\(name) is no regular file."
    case .severalNames(let count):
      "\(name) has \(count) names: the others would keep the old content."
    case .foreignOwner: "\(name) belongs to another user."
    case .othersCanWrite: "Others can write to \(name), so that its default would not count."
    case .changed: "\(name) was changed while it was read: nothing was done."
    case .hasJournal:
      "\(name) is a database with a journal beside it, or in use: end what uses it, open and close it with SQLite."
    case .isJournal:
      "\(name) belongs to the database beside it: open and close that with SQLite first."
    case .isJournalOfProtected:
      "\(name) is a journal of the protected database beside it, which alone opens it."
    case .smallPages(let size):
      "\(name) has pages of \(size) bytes: 'PRAGMA journal_mode=delete; PRAGMA page_size=4096; VACUUM;' in SQLite makes them large enough."
    case .immutable:
      "\(name) is immutable or append-only: 'chattr -ia' makes it a file like others."
    case .closedDirectory:
      "The directory of \(name) cannot be written to, so that nothing can take the place of the file."
    case .serviceState:
      "\(name) is among LocalAuth's own state, which its daemon has to read: it stays as it is."
    case .notDurable(let code):
      "\(SystemError("fsync", code: code, subject: name)). It is in its place, and need not be after a power failure."
    case .service(let error): error.message
    }
  }
}

extension FileFailure: CustomStringConvertible {
  /// What happened, in one line.
  public var description: String { message(about: "the file") }
}

extension ProtectedFileError {
  /// Errors of reading are none of it.
  fileprivate var refusedContent: String? {
    guard case .system(let call, let code) = self, !call.contains("read"), call != "stat",
      call != "open" || code != EIO
    else { return nil }
    return SystemError(call, code: code).refusedContent
  }

  fileprivate func message(about name: String) -> String {
    if let why = refusedContent { return "\(name) cannot be written: \(why)." }
    return switch self {
    case .notProtected: "\(name) is no protected file."
    case .newer(let version): "\(name) has version \(version) of the format, which is newer."
    case .damaged: "\(name) was changed or cut: it is not what was written."
    case .notSealed: "\(name) was not sealed: a program ended while it wrote the file."
    case .wrongKey, .readOnly: "\(name) cannot be used so."
    case .closed: "\(name) is closed."
    case .locked: "The device's state keeps \(name) locked."
    case .busy: "Another program has \(name) open."
    case .keyIsUsedUp: "\(name) was written too often under one key: protect a copy of it."
    case .system("open", let code):
      "\(name) cannot be opened: \(SystemError("open", code: code).reason)."
    case .system(let call, let code): "\(SystemError(call, code: code, subject: name))"
    }
  }
}

extension FileFailure {
  package init(_ error: SystemError) { self = .file(.system(call: error.call, code: error.code)) }

  /// Why a file could not be put in its place, or not durably.
  init(placing error: SystemError, isInPlace: Bool) {
    self = isInPlace ? .notDurable(code: error.code) : FileFailure(error)
  }

  /// Whether what was to be written is in its place all the same.
  package var isInPlace: Bool {
    switch self {
    case .notDurable: true
    default: false
    }
  }

  init(_ error: ClientError) {
    if case .remote(_, let parameters) = error {
      switch parameters.outcome.flatMap({ OutcomeCode(rawValue: $0) }) {
      case .itemLocked: self = .locked
      case .itemNotFound: self = .anotherDevice
      default: self = .service(AuthError(error))
      }
    } else {
      self = .service(AuthError(error))
    }
  }

  /// The failure of the system call that was made last.
  package static func system(_ call: String) -> FileFailure {
    .file(.system(call: call, code: errno))
  }

  /// Runs `body` and translates errors of files to this type.
  package static func translating<Result: ~Copyable>(
    _ body: () throws(ProtectedFileError) -> Result
  ) throws(FileFailure) -> Result {
    do throws(ProtectedFileError) { return try body() } catch { throw .file(error) }
  }

  /// Runs `body` and translates errors of the system to this type.
  package static func translatingSystem<Result: ~Copyable>(
    _ body: () throws(SystemError) -> Result
  ) throws(FileFailure) -> Result {
    do throws(SystemError) { return try body() } catch { throw FileFailure(error) }
  }
}
