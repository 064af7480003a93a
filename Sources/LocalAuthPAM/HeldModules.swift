import LocalAuthSecret
import LocalAuthWire

/// Keeps the modules of the service used last mapped, by an idle handle.
///
/// Loading and unloading shared objects is nine tenths of a short transaction. libpam unloads a
/// module with the last handle that names it, and reads the configuration for each handle anew; the
/// handle held here never authenticates anybody. Code stays mapped until the process ends: after an
/// upgrade of a module, a worker is to be replaced.
struct HeldModules: ~Copyable {
  private var file: PAMServiceFile?
  private var idle: PAMHandle?

  /// Holds the modules that the file names for the request, instead of those held before.
  ///
  /// This is cheap while a transaction of that service is live. A failure costs speed only.
  mutating func hold(_ current: PAMServiceFile, for request: PAMRequest) {
    guard current != file else { return }
    // The new handle comes first, so that modules of both services stay mapped.
    let next = try? PAMHandle(
      service: request.service,
      directory: request.configurationDirectory,
      user: nil,
      bridge: ConversationBridge(Silence())
    )
    idle = next
    file = current
  }
}

/// Answers nothing, for a handle that asks nothing.
private final class Silence: PAMConversation {
  func answer(prompt: String, echo: Bool) throws(PAMConversationFailure) -> Secret {
    throw .aborted
  }

  func show(_ text: String, as notice: PAMNotice) throws(PAMConversationFailure) {
    throw .aborted
  }
}
