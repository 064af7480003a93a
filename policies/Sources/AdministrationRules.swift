public import LocalAuthCore

/// Who may administer devices where one service keeps those of all users.
///
/// Nobody but root and a device's owner can even name it. So rules can only take away: from owners,
/// or from everybody.
public struct AdministrationRules: Hashable, Sendable {
  /// Who may.
  public enum Who: String, CaseIterable, Hashable, Sendable {
    /// The owner of the device, and root.
    case owner
    /// Root alone.
    case root
    /// Not even root, short of changing the rules.
    case nobody
  }

  private var holders: [AdministrativeAction: Who]

  /// Rules that say `who` for the actions that are named, and the owner for the others.
  public init(_ holders: [AdministrativeAction: Who] = [:]) { self.holders = holders }

  /// The rules where no file says otherwise: owners may do everything to their devices.
  public static let builtIn = AdministrationRules()

  /// The rules where those of the file are not known.
  public static let nobody = AdministrationRules(
    Dictionary(uniqueKeysWithValues: AdministrativeAction.allCases.map { ($0, Who.nobody) })
  )

  /// Who may do this.
  public func who(may action: AdministrativeAction) -> Who { holders[action] ?? .owner }

  /// Whether root, or else the owner, may do this to a device.
  public func allows(_ action: AdministrativeAction, isRoot: Bool) -> Bool {
    switch who(may: action) {
    case .owner: true
    case .root: isRoot
    case .nobody: false
    }
  }
}
