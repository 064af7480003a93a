import Glibc
public import LocalAuth
import LocalAuthClient
public import LocalAuthFileFormat
public import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthUnix

/// The files that the state of one device protects.
///
/// It follows the lock of the device on a thread of its own, and takes the keys of open files when their
/// time has come. Safe to use from any thread; calls block while the service answers.
public final class ProtectedFiles: Sendable {
  private let keys: FileKeySource
  private let watch: AvailabilityWatch

  /// Begins to follow the lock of `device`.
  ///
  /// - Throws: ``FileFailure``.
  public convenience init(on device: Device = .default) throws(FileFailure) {
    try self.init(on: device) { _ in }
  }

  /// Begins to follow the lock of `device`, and tells `observer` what it hears.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - observer: What is told, see ``LockObserver``; keys of other files wait while it works.
  /// - Throws: ``FileFailure``.
  package init(on device: Device, observer: @escaping LockObserver) throws(FileFailure) {
    let choice: DeviceChoice
    let source: any ConnectionSource
    do throws(AuthError) { (choice, source) = try device.resolved() } catch {
      throw .service(error)
    }
    keys = FileKeySource(choice, source)
    watch = try AvailabilityWatch(choice, source, observer)
  }

  /// Whether protected data can be opened now.
  public var availability: DataAvailability { watch.current }

  /// Whether protected data can be opened now, and each change from now on.
  ///
  /// Whoever falls behind by more than eight changes hears of the newest.
  public var changes: AsyncStream<DataAvailability> { watch.changes() }

  /// Opens a protected file.
  ///
  /// - Parameters:
  ///   - path: The file's path, whose last part is no symbolic link.
  ///   - access: What for; one program writes, or many read.
  ///   - isSealedOnly: Whether a file is refused whose program ended while it wrote.
  /// - Returns: the open file.
  /// - Throws: ``FileFailure``.
  public func open(
    _ path: String,
    for access: FileAccess = .read,
    isSealedOnly: Bool = false
  ) throws(FileFailure) -> ProtectedFile {
    let descriptor = try SourceFile.open(path, access == .write ? O_RDWR : O_RDONLY)
    let file = try encryptedFile(descriptor, access, isSealedOnly)
    if access == .write, try !SourceFile.hasName(descriptor) {
      try? file.close()
      throw .file(.busy)
    }
    return lease(file)
  }

  /// Makes a protected file, which is not there yet, and opens it for writing.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - protection: When it can be opened; nil for the default of its directory, or else
  ///     ``FileProtection/complete``.
  ///   - mode: The file's permissions, which the process's mask narrows.
  /// - Returns: the file, open for writing and empty.
  /// - Throws: ``FileFailure``; there is no file then.
  public func create(
    _ path: String,
    _ protection: FileProtection? = nil,
    mode: UInt32 = 0o600
  ) throws(FileFailure) -> ProtectedFile {
    let key = try newKey(for: path, protection)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    // SAFETY: the string is a C string for the duration of the call.
    let descriptor = unsafe Glibc.open(path, flags, mode)
    guard descriptor >= 0 else { throw .system("open") }
    do throws(FileFailure) { return lease(try key.begin(on: descriptor)) } catch {
      // SAFETY: as above; the file was made a moment ago, and is empty.
      unsafe unlink(path)
      throw error
    }
  }

  /// The key of a new file at `path`, which is none among the service's state.
  package func newKey(
    for path: String,
    _ protection: FileProtection?
  ) throws(FileFailure) -> NewFileKey {
    guard !StateDirectory.contains(directoryOf: path) else { throw .serviceState }
    if let protection { return try newKey(protection) }
    return try newKey(try DirectoryDefault.protection(for: path))
  }

  /// The key of a new file.
  func newKey(_ protection: FileProtection) throws(FileFailure) -> NewFileKey {
    let made = try keys.make(protection)
    guard let key = made.key.take() else {
      throw .service(.protocolError("a key without bytes"))
    }
    return NewFileKey(key, made.wrapped)
  }

  /// Opens the protected file on `descriptor`, which it takes ownership of; `isExamined` says whether to find what of it is
  /// damaged.
  package func encryptedFile(
    _ descriptor: Int32,
    _ access: FileAccess,
    _ isSealedOnly: Bool,
    isExamined: Bool = false
  ) throws(FileFailure) -> EncryptedFile {
    var failure: FileFailure?
    func key(_ header: FileHeader) throws(ProtectedFileError) -> Secret {
      do throws(FileFailure) { return try keys.open(header) } catch {
        failure = failure ?? error
        throw error == .locked ? .locked : .wrongKey
      }
    }
    do throws(ProtectedFileError) {
      guard !isExamined else { return try EncryptedFile(examining: descriptor, key: key) }
      return try EncryptedFile(
        opening: descriptor,
        for: access,
        isSealedOnly: isSealedOnly,
        key: key
      )
    } catch {
      guard error == .locked || error == .wrongKey else { throw .file(error) }
      throw failure ?? .file(error)
    }
  }

  /// Has the key of `file`, which was opened just now, taken when its time has come.
  package func follow(_ file: any LeasedFile) { watch.add(file) }

  /// Has the key taken when its time has come; with `keepsLock` the file stays locked against other programs for as long as
  /// the caller has a descriptor of the same open file.
  func lease(_ file: sending EncryptedFile, keepsLock: Bool = false) -> ProtectedFile {
    ProtectedFile(file, watch, keepsLock: keepsLock)
  }
}

/// The key of a file that is not there yet.
package struct NewFileKey: ~Copyable {
  private let key: Secret
  let wrapped: WrappedFileKey

  init(_ key: consuming Secret, _ wrapped: WrappedFileKey) {
    self.key = key
    self.wrapped = wrapped
  }

  /// Begins the file on the open, empty file `descriptor`, which it takes ownership of.
  package func begin(
    on descriptor: Int32,
    layout: FileLayout = .stream
  ) throws(FileFailure) -> EncryptedFile {
    try FileFailure.translating { () throws(ProtectedFileError) in
      try EncryptedFile(
        creatingOn: descriptor,
        wrapped.protection,
        key: key,
        wrappedKey: wrapped.bytes,
        identifier: wrapped.identifier,
        layout: layout
      )
    }
  }
}
