import LocalAuthCore
import LocalAuthPolicies
import LocalAuthUnix

extension Server {
  /// Whom a service serves.
  enum Audience {
    /// One user, whose devices it keeps.
    case user(UInt32)
    /// The process that the service lives in.
    case ownProcess
    /// Every user, each with devices of its own.
    case everybody(AdministrationSource)

    /// What the kernel says where a peer's user has no number here: the default of
    /// `kernel.overflowuid`.
    private static let unmappedUser: UInt32 = 65_534

    /// Whether all users are served.
    var isEverybody: Bool {
      switch self {
      case .user, .ownProcess: false
      case .everybody: true
      }
    }

    /// What is wrong with the rules of administration, for the log.
    var failure: String? {
      switch self {
      case .user, .ownProcess: nil
      case .everybody(let rules): rules.failure
      }
    }

    /// Why a peer of this user is turned away, or nil.
    ///
    /// Users without a number here share one, and so would share devices.
    func refusal(of user: UInt32) -> String? {
      switch self {
      case .user(let owner): user == owner ? nil : "This service is another user's."
      case .ownProcess: nil
      case .everybody:
        user == Self.unmappedUser ? "The kernel does not say which user you are." : nil
      }
    }

    /// Why a peer of user `uid` may not name `user`, or nil.
    func refusal(of uid: UInt32, naming user: UInt32) -> String? {
      guard user != uid else { return nil }
      switch self {
      case .user, .ownProcess: return "Only the system's service knows other users."
      case .everybody: return uid == 0 ? nil : "Only root may name another user."
      }
    }

    /// Why a peer of user `uid` may not say where a request comes from, or nil.
    func refusal(ofOriginBy uid: UInt32) -> String? {
      switch self {
      case .user, .ownProcess: "Only the system's service is told where a request comes from."
      case .everybody: uid == 0 ? nil : "Only root may say where a request comes from."
      }
    }

    /// Why a peer of user `uid` may not do this to devices that it can name, or nil.
    func refusal(of uid: UInt32, doing action: AdministrativeAction) -> String? {
      switch self {
      case .user, .ownProcess: nil
      case .everybody(let rules): rules.refusal(of: action, isRoot: uid == 0)
      }
    }
  }
}
