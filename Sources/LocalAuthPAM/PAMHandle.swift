import CLocalAuthPAM
import Glibc

/// One libpam handle, from `pam_start` to `pam_end`, used by one thread at a time.
@safe
struct PAMHandle: ~Copyable {
  /// The code that `pam_end` passes to the modules: that of the last step.
  var status = PAM_SUCCESS
  private let pointer: OpaquePointer
  // libpam holds an unretained pointer to it, so it must live as long as the handle.
  private let bridge: ConversationBridge

  /// Starts a transaction; a handle without a user only keeps the service's modules mapped.
  init(
    service: String,
    directory: String?,
    user: String?,
    bridge: ConversationBridge
  ) throws(PAMError) {
    var callback = unsafe bridge.callback
    var started: OpaquePointer?
    // SAFETY: libpam copies the strings and the callback before it returns.
    let code = unsafe withOptionalCString(user) { user in
      unsafe withOptionalCString(directory) { directory in
        guard unsafe directory != nil else {
          return unsafe pam_start(service, user, &callback, &started)
        }
        return unsafe pam_start_confdir(service, user, &callback, directory, &started)
      }
    }
    guard code == PAM_SUCCESS, let started = unsafe started else { throw .startFailed(code: code) }
    unsafe pointer = started
    self.bridge = bridge
  }

  deinit {
    unsafe pam_end(pointer, status)
  }

  /// Authenticates the user; an account with an empty password is refused.
  func authenticate() -> Int32 {
    unsafe pam_authenticate(pointer, Int32(PAM_DISALLOW_NULL_AUTHTOK))
  }

  /// Checks whether the account may be used now.
  func checkAccount() -> Int32 {
    unsafe pam_acct_mgmt(pointer, Int32(PAM_DISALLOW_NULL_AUTHTOK))
  }

  /// Tells PAM that failures need no delay.
  ///
  /// The throttle refuses attempts for a time instead of sleeping.
  func forbidDelays() throws(PAMError) {
    let code = unsafe la_pam_replace_delay(pointer)
    guard code == PAM_SUCCESS else { throw .itemRefused(code: code) }
  }

  /// Whether PAM's user is `name`, compared by bytes: String treats equivalent spellings as equal.
  func isUser(_ name: String) -> Bool {
    guard let current = unsafe currentUser else { return false }
    return unsafe strcmp(current, name) == 0
  }

  /// libpam's message for a code.
  static func text(for code: Int32) -> String {
    // SAFETY: Linux-PAM uses the code only, and returns a constant.
    guard let text = unsafe pam_strerror(nil, code) else { return "code \(code)" }
    return unsafe String(cString: text)
  }

  private var currentUser: UnsafePointer<CChar>? {
    var item: UnsafeRawPointer?
    guard unsafe pam_get_item(pointer, PAM_USER, &item) == PAM_SUCCESS else { return nil }
    // SAFETY: the item is a C string owned by the handle, valid until a module replaces it.
    return unsafe item?.assumingMemoryBound(to: CChar.self)
  }
}

private func withOptionalCString<R>(
  _ text: String?,
  _ body: (UnsafePointer<CChar>?) -> R
) -> R {
  guard let text else { return body(nil) }
  return unsafe text.withCString { pointer in unsafe body(pointer) }
}
