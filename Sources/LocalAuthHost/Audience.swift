import LocalAuthCore
import LocalAuthPolicies
import LocalAuthUnix

extension Server {
  /// The users a service serves.
  enum Audience {
    /// One user, whose devices it keeps.
    case user(UInt32)
    /// The process that hosts the service.
    case ownProcess
    /// All users, each with their own devices.
    case everybody(AdministrationSource)

    /// The uid that the kernel reports for a peer whose user is not mapped into this user
    /// namespace: the default of `kernel.overflowuid`.
    private static let unmappedUser: UInt32 = 65_534

    /// Whether all users are served.
    var isEverybody: Bool {
      switch self {
      case .user, .ownProcess: false
      case .everybody: true
      }
    }

    /// The problem with the administration rules, for the log; nil if there is none.
    var failure: String? {
      switch self {
      case .user, .ownProcess: nil
      case .everybody(let rules): rules.failure
      }
    }

    /// Why a peer with uid `user` is turned away, or nil.
    ///
    /// All unmapped users appear under the same uid, so serving them would let them share devices.
    func refusal(of user: UInt32) -> String? {
      switch self {
      case .user(let owner): user == owner ? nil : "This service is another user's."
      case .ownProcess: nil
      case .everybody:
        user == Self.unmappedUser ? "The kernel does not say which user you are." : nil
      }
    }

    /// Why a peer with uid `uid` may not name `user`, or nil.
    func refusal(of uid: UInt32, naming user: UInt32) -> String? {
      guard user != uid else { return nil }
      switch self {
      case .user, .ownProcess: return "Only the system's service knows other users."
      case .everybody: return uid == 0 ? nil : "Only root may name another user."
      }
    }

    /// Why a peer with uid `uid` may not say where a request comes from, or nil.
    func refusal(ofOriginBy uid: UInt32) -> String? {
      switch self {
      case .user, .ownProcess: "Only the system's service is told where a request comes from."
      case .everybody: uid == 0 ? nil : "Only root may say where a request comes from."
      }
    }

    /// Why a peer with uid `uid` may not perform `action` on devices that it may name, or nil.
    func refusal(of uid: UInt32, doing action: AdministrativeAction) -> String? {
      switch self {
      case .user, .ownProcess: nil
      case .everybody(let rules): rules.refusal(of: action, isRoot: uid == 0)
      }
    }
  }
}
