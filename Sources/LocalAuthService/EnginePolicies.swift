import LocalAuthCore
public import LocalAuthPolicies

/// What a device counts by.
struct DeviceRules {
  /// The device's own lockout profile and delays.
  let own: DeviceAttempts.Rules
  /// The delays of counts that must never lock for good.
  let lasting: PasscodeDelays
}

/// A device that was not loaded, because something that its record names cannot be.
struct UnusableDevice {
  /// What is needed to load it once that is mended.
  struct Stored {
    let record: DeviceRecord
    let isDistrusted: Bool
    let keybag: [UInt8]?
  }

  /// What cannot be loaded and why, in one line.
  let reason: String
  /// Nil for the user's own machine without a record of its own, which the next request loads.
  var stored: Stored?
}

/// Policies that change while the engine runs.
extension Engine {
  /// Puts policies, profiles and tables into force that were read anew.
  ///
  /// An evaluation in progress goes on under the policy that it began with. Locks, keys and counts
  /// stay as they are. A device whose profile or table cannot be used any more keeps the one it
  /// has; a device that could not be loaded is, if it can be now.
  public func takeUp(_ catalog: PolicyCatalog) {
    self.catalog = catalog
    policyDigests = [:]
    for device in devices.values {
      guard let rules = try? rules(of: device.record) else { continue }
      runner.meet(device) { machine, _ in
        machine.rulesChanged(to: rules.own, lasting: rules.lasting)
      }
    }
    let missing = unusable.values.compactMap(\.stored)
    unusable = [:]
    adopt(missing)
  }

  /// Loads stored devices, and completes what a crash kept from being stored.
  func adopt(_ stored: [UnusableDevice.Stored]) {
    // A user's own machine comes first: it counts the password tried on the user's other devices.
    let isOwnMachine = { (stored: UnusableDevice.Stored) in
      stored.record.identity.name == DeviceIdentity.defaultName
    }
    for stored in stored.filter(isOwnMachine) + stored.filter({ !isOwnMachine($0) })
    where devices[stored.record.identity] == nil {
      let device = adopt(
        stored.record,
        isDistrusted: stored.isDistrusted,
        keybag: stored.keybag
      )
      if let device { completeKeybag(of: device) }
    }
  }

  /// The profile and the tables that a record names, as the files say now.
  func rules(of record: DeviceRecord) throws(PolicyError) -> DeviceRules {
    DeviceRules(
      own: DeviceAttempts.Rules(
        lockout: try catalog.lockoutProfile(named: record.lockoutProfile).get(),
        delays: try catalog.passcodeDelays(named: record.passcodeDelays).get()
      ),
      lasting: try catalog.passcodeDelays(named: DeviceRecord.accountPasscodeDelays).get()
    )
  }
}
