import LocalAuthCore
import Synchronization

/// The mirror of a store in memory: nobody can put an older database back.
final class MemoryMirror: SequenceMirroring {
  private let record = Mutex<[UInt8]?>(nil)

  func read() -> [UInt8]? { record.withLock { $0 } }

  func write(_ record: [UInt8]) { self.record.withLock { $0 = record } }

  func sync() {}
}
