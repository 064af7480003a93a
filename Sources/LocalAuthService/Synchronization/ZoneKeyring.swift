import LocalAuthSync

/// The keys of a device's zones, by epoch.
struct ZoneKeyring {
  private(set) var sealed: [ZoneName: [UInt32: SealedZoneKeys]] = [:]
  private var open: [ZoneName: [UInt32: any ZoneKeys]] = [:]

  /// The keys of an epoch, as far as the lock lets the device have them.
  subscript(zone: ZoneName, epoch: UInt32) -> (any ZoneKeys)? { open[zone]?[epoch] }

  /// The newest keys of a zone, which all make the same names and digests.
  func newest(of zone: ZoneName) -> (any ZoneKeys)? {
    open[zone]?.max { $0.key < $1.key }?.value
  }

  /// The epochs of which the device has all that an unlocked device has.
  func wholeEpochs(of zone: ZoneName) -> Set<UInt32> {
    Set((sealed[zone] ?? [:]).filter { $0.value.whole != nil }.keys)
  }

  /// What can be sealed and opened in a zone now.
  func access(to zone: ZoneName, isUnlocked: Bool) -> ZoneKeyAccess {
    ZoneKeyAccess(epochs: Set((open[zone] ?? [:]).keys), isUnlocked: isUnlocked)
  }

  /// Adds keys, or replaces those of the same epoch.
  mutating func put(_ keys: any ZoneKeys, _ sealed: SealedZoneKeys, of zone: ZoneName) {
    open[zone, default: [:]][keys.epoch] = keys
    self.sealed[zone, default: [:]][keys.epoch] = sealed
  }

  /// Adds keys as they were stored.
  mutating func put(_ sealed: SealedZoneKeys, epoch: UInt32, of zone: ZoneName) {
    self.sealed[zone, default: [:]][epoch] = sealed
  }

  /// Opens everything anew, as far as the lock lets the device have it; false if anything was changed.
  mutating func reopen(_ vault: any SyncVault) -> Bool {
    open = [:]
    for (zone, epochs) in sealed {
      for (epoch, sealed) in epochs {
        guard let keys = vault.open(sealed, epoch: epoch, of: zone) else { return false }
        open[zone, default: [:]][epoch] = keys
      }
    }
    return true
  }

  /// Closes everything, because the device was restarted.
  mutating func close() { open = [:] }
}
