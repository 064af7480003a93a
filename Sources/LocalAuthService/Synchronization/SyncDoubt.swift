public import LocalAuthCore
public import LocalAuthSync

/// What keeps a device from being synchronized, of which nobody is told who does not ask for it.
public struct SyncDoubt: Hashable, Sendable {
  /// What it is about.
  public enum Subject: Hashable, Sendable {
    /// The circle's log.
    case circle
    /// A zone.
    case zone(ZoneName)
    /// The device itself.
    case device
    /// Where the device keeps its state.
    case disk
  }

  /// What is the matter.
  public enum Reason: Hashable, Sendable {
    /// The hub is not believed.
    case alarm(HubAlarm)
    /// Another device removed this one.
    case removed
    /// What it kept was changed, or an older state was put back.
    case stateWasChanged
    /// The hub does not let the device in: whom another one removed never sees the entry that says so.
    case denied
    /// Something could not be kept.
    case unkept(StorageError)
  }

  /// What it is about.
  public let subject: Subject
  /// What is the matter.
  public let reason: Reason
}

extension Synchronizer {
  /// Whether the circle's log was not the one that was verified, which it may be once more.
  var isCircleDoubted: Bool {
    guard case .circle = trouble else { return false }
    return state.membership.stage == .member
  }

  /// Whether it asks the hub no more, until a person acts.
  var hasStopped: Bool { trouble != nil && !isCircleDoubted }

  /// Whether it is in its circle, for all that it knows, and the hub does not let it in.
  private var isDenied: Bool {
    state.membership.stage == .member && !hasStopped && failure?.isDenial == true
  }

  /// What keeps the device from being synchronized now.
  private var doubts: [SyncDoubt] {
    var doubts: [SyncDoubt] = []
    switch trouble {
    case .circle(let alarm): doubts.append(SyncDoubt(subject: .circle, reason: .alarm(alarm)))
    case .removed: doubts.append(SyncDoubt(subject: .device, reason: .removed))
    case .stateWasChanged: doubts.append(SyncDoubt(subject: .device, reason: .stateWasChanged))
    // Whoever joins is told so.
    case .codeWasUsed, .none: break
    }
    if isDenied { doubts.append(SyncDoubt(subject: .device, reason: .denied)) }
    for zone in state.zones.doubted {
      guard let alarm = state.zones[zone]?.alarm else { continue }
      doubts.append(SyncDoubt(subject: .zone(zone), reason: .alarm(alarm)))
    }
    if let unkept { doubts.append(SyncDoubt(subject: .disk, reason: .unkept(unkept))) }
    return doubts
  }

  /// Tells whoever keeps the log what is the matter, once for as long as it is.
  ///
  /// A hub that lets the device in and refuses it in turn would write the log full: of the device itself one line is told
  /// each quarter of an hour at most.
  func tellDoubts() {
    let (doubts, now) = (doubts, now.boot)
    for doubt in doubts where toldDoubts[doubt.subject] == nil {
      engine.onSyncDoubt(device.identity, doubt)
      toldDoubts[doubt.subject] = now
    }
    let subjects = Set(doubts.map(\.subject))
    toldDoubts = toldDoubts.filter { subject, told in
      subjects.contains(subject)
        || subject == .device && now - told < .milliseconds(Heartbeat.interval)
    }
  }
}
