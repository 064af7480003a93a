import LocalAuthFiles

/// A file that SQLite reads and writes; calls come from any thread.
protocol PagedFile: AnyObject {
  var length: Int { get throws(FileFailure) }
  /// Fills `buffer` from `offset`, as far as there is content; returns how many bytes.
  @unsafe
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int
  @unsafe
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure)
  func truncate(to length: Int) throws(FileFailure)
  /// Makes durable what was written.
  func synchronize() throws(FileFailure)
  func close() throws(FileFailure)
}
