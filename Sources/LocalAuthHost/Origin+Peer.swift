import LocalAuthCore
import LocalAuthUnix

extension Origin {
  /// Where the process at the other end of a connection asks from, for its own user: at this machine where its login is
  /// one at a seat, else from elsewhere; its user is who it is all the same.
  init(of peer: PeerIdentity, by logins: LoginRecords) {
    let login = try? PeerProgram(of: peer).auditLogin()
    self = login.map(logins.isAtSeat) == true ? .owner : .user(peer.userID)
  }
}
