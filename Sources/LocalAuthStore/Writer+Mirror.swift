import LocalAuthCore

/// Keeping the second copy of the sequence and of the counts, and making distrust durable.
extension Writer {
  mutating func mirrorSequence() throws(StorageError) {
    guard !isMirrored else { return }
    var watermark = ledger.watermark
    watermark.sequence = ledger.sequence
    let record = watermark.record(tagger)
    try copy.write(record)
    copyIsDirty = true
    try mirror.write(record)
    isMirrored = true
    mirrorSync.begin()
  }

  /// Waits until the mirror holds the ledger's sequence on disk; a failed write or sync is retried.
  mutating func catchUpMirror() throws(StorageError) {
    do throws(StorageError) { try mirrorSync.finish() } catch { isMirrored = false }
    guard !isMirrored else { return }
    try mirrorSequence()
    do throws(StorageError) {
      try mirrorSync.finish()
    } catch {
      isMirrored = false
      throw error
    }
  }

  /// Stores the loss of trust as a guarded commit of its own, since the next one would vouch for
  /// all rows.
  ///
  /// Raised counts are stored with it. Other records stay as they are, as evidence of what
  /// happened.
  mutating func settleDistrust(raised: [DeviceRecord]) throws(StorageError) {
    var next = ledger
    next.sequence += 1
    let tag: [UInt8]
    do {
      try statements.begin.run()
      for record in raised { try write(record, &next) }
      tag = tagger.tag(over: next.message)
      for entry in next.entries {
        try statements.setTrust.run([
          .integer(entry.isTrusted ? 1 : 0), .integer(Int64(entry.identity.owner)),
          .text(entry.identity.name),
        ])
      }
      try statements.replaceLedger.run([
        .integer(Int64(bitPattern: next.sequence)), .integer(next.mayHaveLostDevices ? 0 : 1),
        .blob(tag),
      ])
      try statements.end.run()
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
    ledger = next
    ledgerTag = tag
    isMirrored = false
  }
}
