import LocalAuthSync

extension ModelHub {
  /// A hub that has what this one has now, as its administrator restores one from a backup.
  func copy() -> ModelHub {
    let copy = ModelHub(founder: founder)
    copy.entries = entries
    copy.head = head
    copy.zones = zones
    copy.shares = shares
    copy.olderKeys = olderKeys
    copy.heartbeats = heartbeats
    copy.invited = invited
    copy.members = members
    copy.added = added
    copy.checkpointInterval = checkpointInterval
    copy.time = time
    return copy
  }
}
