import LocalAuthCore
import LocalAuthUnix

extension Origin {
  /// Where the process at the other end of a connection asks from, for its own user: from this machine
  /// where its login is one at a seat; what cannot be told is from nobody knows where.
  init(of peer: PeerIdentity, by logins: LoginRecords) {
    let login = try? PeerProgram(of: peer).auditLogin()
    self = login.map(logins.isAtSeat) == true ? .owner : .host("")
  }
}
