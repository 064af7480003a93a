/// The session that a process is in, by the kernel's word.
public enum LoginSession: Hashable, Sendable {
  /// The one that audit counts, from a login on; it outlives shells and terminals.
  case audit(UInt32)
  /// Where nothing is audited: the one that began with setsid(2) in this process. The kernel gives the
  /// number to nobody else while the session has a member.
  case processes(of: Int32)
}
