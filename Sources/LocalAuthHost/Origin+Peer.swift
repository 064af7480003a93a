import LocalAuthCore
import LocalAuthUnix

extension Origin {
  /// The origin of `user`, who asks for itself; `login` is nil if it is not known.
  ///
  /// It is `owner` if the login's session is in front at a seat of this machine, otherwise `user`
  /// with its uid.
  init(of user: UInt32, in login: AuditLogin?, by logins: LoginRecords) {
    self = login.map(logins.isAtSeat) == true ? .owner : .user(user)
  }
}
