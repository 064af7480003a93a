import CLocalAuthPAM
import Glibc
import LocalAuthWire

/// One handle of libpam from its start to its end, used by one thread at a time.
@safe
struct PAMHandle: ~Copyable {
  /// What `pam_end` tells the modules: the code of the last step.
  var status = PAM_SUCCESS
  private let pointer: OpaquePointer
  // libpam holds a plain pointer to it, so it lives as long as the handle.
  private let bridge: ConversationBridge

  /// Begins a transaction; a handle without a user only keeps the service's modules mapped.
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

  /// Authenticates; an empty password is none.
  func authenticate() -> Int32 {
    unsafe pam_authenticate(pointer, Int32(PAM_DISALLOW_NULL_AUTHTOK))
  }

  /// Asks whether the account may be used now.
  func checkAccount() -> Int32 {
    unsafe pam_acct_mgmt(pointer, Int32(PAM_DISALLOW_NULL_AUTHTOK))
  }

  /// Tells PAM what is known about who asks, and that failures need no delay: the throttle is a
  /// refusal until, never a sleep.
  func describe(_ request: PAMRequest) throws(PAMError) {
    var code = unsafe la_pam_replace_delay(pointer)
    if code == PAM_SUCCESS, let user = request.remoteUser {
      code = set(PAM_RUSER, to: user)
    }
    if code == PAM_SUCCESS, let terminal = request.terminal {
      code = set(PAM_TTY, to: terminal)
    }
    guard code == PAM_SUCCESS else { throw .itemRefused(code: code) }
  }

  private func set(_ item: Int32, to value: String) -> Int32 {
    // SAFETY: libpam copies string items.
    unsafe value.withCString { text in unsafe pam_set_item(pointer, item, text) }
  }

  /// Whom PAM holds the user to be, repaired where it is not UTF-8: for display.
  var user: String? {
    unsafe currentUser.map { name in unsafe String(cString: name) }
  }

  /// Whether PAM's user is `name`, byte by byte: String compares equivalent spellings as equal.
  func isUser(_ name: String) -> Bool {
    guard let current = unsafe currentUser else { return false }
    return unsafe strcmp(current, name) == 0
  }

  /// libpam's text for a code.
  static func text(for code: Int32) -> String {
    // SAFETY: Linux-PAM looks at the code alone, and returns a constant.
    guard let text = unsafe pam_strerror(nil, code) else { return "code \(code)" }
    return unsafe String(cString: text)
  }

  private var currentUser: UnsafePointer<CChar>? {
    var item: UnsafeRawPointer?
    guard unsafe pam_get_item(pointer, PAM_USER, &item) == PAM_SUCCESS else { return nil }
    // SAFETY: the item is a C string of the handle, valid until a module sets another.
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
