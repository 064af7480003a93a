import LocalAuthCore

/// The audit lines of one commit, behind lines that say what their devices have no lines of.
struct AuditLines {
  /// The changes of the commit, with the lines that say what is missing.
  private(set) var changes: [StateChange]
  /// The lines of the commit that have an outcome.
  private var ended: [(line: AuditRecord, device: LiveDevice?)] = []
  private var gaps: [(gap: AuditGap, line: AuditRecord, device: LiveDevice)] = []

  init(of changes: [StateChange], by engine: Engine?) {
    self.changes = changes
    for (index, change) in changes.enumerated() {
      guard case .audit(let line) = change else { continue }
      let device = engine?.devices[line.device]
      if line.outcome != nil { ended.append((line, device)) }
      guard let engine, let device, let gap = device.unwritten.takeGap(before: line) else {
        continue
      }
      let told = engine.line(of: gap, on: device)
      self.changes.insert(.audit(told), at: index + gaps.count)
      gaps.append((gap, told, device))
    }
  }

  /// Tells the lines that are durable, or has their devices remember that they are missing.
  func committed(_ result: Result<Void, StorageError>, _ tell: (AuditRecord) -> Void) {
    switch result {
    case .success:
      for gap in gaps { tell(gap.line) }
      for line in ended { tell(line.line) }
    case .failure(let error):
      for gap in gaps { gap.device.unwritten.failed(gap.gap) }
      for line in ended { line.device?.unwritten.failed(line.line, error) }
    }
  }
}

extension Engine {
  /// Writes what is missing of each device's audit, because no line may follow.
  func tellGaps() {
    for device in devices.values {
      guard let gap = device.unwritten.takeGap() else { continue }
      runner.store([line(of: gap, on: device)])
    }
  }

  fileprivate func line(of gap: AuditGap, on device: LiveDevice) -> AuditRecord {
    gap.line(EvaluationID(using: &random), of: device.record)
  }
}
