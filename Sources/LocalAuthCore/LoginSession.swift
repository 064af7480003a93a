/// The session of a process, as reported by the kernel.
public enum LoginSession: Hashable, Sendable {
  /// The audit session, which begins at a login and outlives shells and terminals.
  case audit(UInt32)
  /// Without auditing, the session that this process began with setsid(2); the kernel does not
  /// reuse the number while the session has a member.
  case processes(of: Int32)
}
