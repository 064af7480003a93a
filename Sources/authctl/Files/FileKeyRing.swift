import LocalAuthClient
import LocalAuthCore
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthSecret

/// The keys of protected files, which the daemon makes and opens on one connection.
struct FileKeyRing: ~Copyable {
  private let context: VerbContext
  private let device: DeviceChoice
  private var connection: DaemonConnection

  init(_ context: VerbContext) throws(Failure) {
    BuiltInCiphers.prepare()
    let device = try context.device()
    connection = try context.connect()
    self.context = context
    self.device = device
  }

  /// Makes the key of a new file.
  mutating func make(
    _ protection: FileProtection
  ) throws(Failure) -> (key: SecretBox, wrapped: WrappedFileKey) {
    do throws(ClientError) {
      return try connection.makeFileKey(protection, on: device)
    } catch { throw Failure(error, typed: context.typed()) }
  }

  /// Opens the key of the file with this header.
  mutating func open(_ header: FileHeader) throws(Failure) -> Secret {
    guard
      let wrapped = WrappedFileKey(
        header.protection,
        identifier: header.identifier,
        bytes: header.wrappedKey
      )
    else { throw Failure(.internalError, "The file has no identifier.") }
    do throws(ClientError) {
      guard let key = try connection.openFileKey(wrapped, on: device).take() else {
        throw .protocolError("a key without bytes")
      }
      return key
    } catch { throw Failure(error, typed: context.typed()) }
  }

  /// Opens a protected file to read it.
  mutating func read(
    _ source: borrowing FileSource,
    isSealedOnly: Bool
  ) throws(Failure) -> ProtectedFile {
    let path = source.path
    var failure: Failure?
    do throws(ProtectedFileError) {
      return try ProtectedFile(
        opening: source.take(),
        for: .read,
        isSealedOnly: isSealedOnly
      ) { (header) throws(ProtectedFileError) in
        do throws(Failure) { return try open(header) } catch {
          failure = error
          throw .locked
        }
      }
    } catch { throw failure ?? Failure(error, path) }
  }
}

extension Failure {
  /// Why a protected file cannot be used.
  init(_ error: ProtectedFileError, _ path: String) {
    switch error {
    case .notProtected: self.init(.usage, "\(path) is no protected file.")
    case .newer(let version):
      self.init(
        .keychainError,
        "\(path) has version \(version) of the format: a newer authctl reads it."
      )
    case .damaged:
      self.init(.keychainError, "\(path) was changed or cut: it is not what was written.")
    case .notSealed:
      self.init(
        .keychainError,
        "\(path) was not sealed: a program ended while it wrote the file. Without --sealed-only it is read."
      )
    case .wrongKey, .closed, .readOnly: self.init(.internalError, "\(path) cannot be used so.")
    case .locked: self.init(.itemLocked, "The device's state keeps \(path) locked.")
    case .busy: self.init(.busy, "Another program has \(path) open.")
    case .keyIsUsedUp:
      self.init(
        .keychainError,
        "\(path) was written too often under one key: protect a copy of it."
      )
    case .system(let call, let code):
      self.init(.internalError, errno: code, "\(path): \(call)")
    }
  }
}
