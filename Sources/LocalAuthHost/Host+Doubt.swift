import LocalAuthCore
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthUnix

/// How a host treats counts that it cannot trust.
extension Host {
  static func catalog(of options: HostOptions) -> PolicyCatalog {
    PolicyFiles.catalog(
      system: options.systemPolicies,
      user: options.isForEverybody ? nil : options.userPolicies
    )
  }

  /// Raises counts by the delay tables that their devices name.
  ///
  /// If a table cannot be loaded, the one that is shipped under its name applies.
  static func raising(by catalog: PolicyCatalog) throws(StorageError) -> CountRaising {
    let now: Moment
    do throws(SystemError) { now = try SystemClock().now() } catch { throw .failed("\(error)") }
    let shipped = PolicyCatalog(system: nil, user: nil)
    let delays: @Sendable (String) -> PasscodeDelays? = { name in
      (try? catalog.passcodeDelays(named: name).get())
        ?? (try? shipped.passcodeDelays(named: name).get())
    }
    return { record, doubt in
      let lasting = delays(DeviceRecord.accountPasscodeDelays)
      guard let own = delays(record.passcodeDelays) ?? delays(DeviceRecord.ownPasscodeDelays),
        let lasting
      else { return }
      var moment = now
      moment.boot = moment.boot + record.clockOffset
      moment.bootID.generation = record.reboots
      record.raise(to: doubt, under: own, lasting: lasting, at: moment)
    }
  }
}
