import LocalAuthCore
import Synchronization

/// The mirror of an in-memory store, where no older database can be put back.
final class MemoryMirror: SequenceMirroring {
  private let record = Mutex<[UInt8]?>(nil)

  func read() -> [UInt8]? { record.withLock { $0 } }

  func write(_ record: [UInt8]) { self.record.withLock { $0 = record } }

  func sync() {}
}
