import LocalAuthCore
import LocalAuthUnix

extension Origin {
  /// The origin of a peer that asks for its own user.
  ///
  /// It is `owner` if the peer's login is at a seat of this machine, otherwise `user` with its uid.
  init(of peer: PeerIdentity, by logins: LoginRecords) {
    let login = try? PeerProgram(of: peer).auditLogin()
    self = login.map(logins.isAtSeat) == true ? .owner : .user(peer.userID)
  }
}
