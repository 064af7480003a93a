import Glibc

/// Accounts of this machine, as the name service knows them.
enum UserAccount {
  /// The name of the account with this uid, or nil when there is none.
  static func name(of uid: UInt32) -> String? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    // SAFETY: every pointer is valid for the call, and the name is copied before the buffer is
    // released.
    let outcome = unsafe getpwuid_r(uid, &entry, &buffer, buffer.count, &found)
    guard outcome == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return nil }
    return unsafe String(cString: name)
  }
}
