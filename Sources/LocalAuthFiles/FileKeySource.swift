import LocalAuthClient
import LocalAuthCore
import LocalAuthFileFormat
import LocalAuthKeychain
import LocalAuthSecret
import Synchronization

/// The connection on which the service makes and opens the keys of files, one at a time.
final class FileKeySource: Sendable {
  private let device: DeviceChoice
  private let source: any ConnectionSource
  private let connection = Mutex<DaemonConnection?>(nil)

  init(_ device: DeviceChoice, _ source: any ConnectionSource) {
    self.device = device
    self.source = source
  }

  /// Makes the key of a new file.
  func make(
    _ protection: FileProtection
  ) throws(FileFailure) -> (key: SecretBox, wrapped: WrappedFileKey) {
    try call { (connection) throws(ClientError) in
      try connection.makeFileKey(protection, on: device)
    }
  }

  /// Opens the key of the file with this header.
  func open(_ header: FileHeader) throws(FileFailure) -> Secret {
    guard header.layout != .journal else { throw .isJournalOfProtected }
    let wrapped = WrappedFileKey(
      header.protection,
      identifier: header.identifier,
      bytes: header.wrappedKey
    )
    guard let wrapped else { throw .file(.damaged) }
    let opened = try call { (connection) throws(ClientError) in
      try connection.openFileKey(wrapped, on: device)
    }
    guard let key = opened.take() else { throw .service(.protocolError("a key without bytes")) }
    return key
  }

  /// Calls the service; once more on a new connection if the one that there was has ended.
  private func call<Value>(
    _ body: (inout DaemonConnection) throws(ClientError) -> Value
  ) throws(FileFailure) -> Value {
    do throws(ClientError) {
      return try connection.withLock { (held) throws(ClientError) -> Value in
        if var kept = held.take() {
          do throws(ClientError) {
            let value = try body(&kept)
            held = consume kept
            return value
          } catch {
            guard case .unreachable = error else {
              if case .remote = error { held = consume kept }
              throw error
            }
          }
        }
        var new = try source.connect()
        let value = try body(&new)
        held = consume new
        return value
      }
    } catch {
      throw FileFailure(error)
    }
  }
}
