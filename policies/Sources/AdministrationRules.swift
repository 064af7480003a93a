public import LocalAuthCore

/// Who may administer devices when one service keeps the devices of all users.
///
/// Only root and a device's owner can name a device at all. So rules can only take rights away:
/// from owners, or from everyone.
public struct AdministrationRules: Hashable, Sendable {
  /// Who may perform an action.
  public enum Who: String, CaseIterable, Hashable, Sendable {
    /// The owner of the device, and root.
    case owner
    /// Root alone.
    case root
    /// Nobody; root would have to change the rules first.
    case nobody
  }

  private var holders: [AdministrativeAction: Who]

  /// Creates rules that assign the named actions; the owner may perform the others.
  public init(_ holders: [AdministrativeAction: Who] = [:]) { self.holders = holders }

  /// The rules if no file exists: owners may perform every action on their devices.
  public static let builtIn = AdministrationRules()

  /// The rules if the file cannot be used: nobody may do anything.
  public static let nobody = AdministrationRules(
    Dictionary(uniqueKeysWithValues: AdministrativeAction.allCases.map { ($0, Who.nobody) })
  )

  /// Returns who may perform `action`.
  public func who(may action: AdministrativeAction) -> Who { holders[action] ?? .owner }

  /// Whether root (`isRoot`), or else the owner, may perform `action` on a device.
  public func allows(_ action: AdministrativeAction, isRoot: Bool) -> Bool {
    switch who(may: action) {
    case .owner: true
    case .root: isRoot
    case .nobody: false
    }
  }
}
