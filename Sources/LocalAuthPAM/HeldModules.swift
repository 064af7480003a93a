import LocalAuthSecret
import LocalAuthWire

/// Keeps the modules of the last used service mapped, with an idle handle.
///
/// Loading and unloading shared objects takes nine tenths of a short transaction. libpam unloads a
/// module with the last handle that names it, and reads the configuration for each handle anew; the
/// idle handle never authenticates. Code stays mapped until the process ends, so replace a worker
/// after an upgrade of a module.
struct HeldModules: ~Copyable {
  private var file: PAMServiceFile?
  private var idle: PAMHandle?

  /// Holds the modules that `current` names for the service, instead of those held before.
  ///
  /// It is cheap during a transaction of that service. A failure costs only speed.
  mutating func hold(_ current: PAMServiceFile, for service: PAMService) {
    guard current != file else { return }
    // Create the new handle first, so that modules of both services stay mapped.
    let next = try? PAMHandle(
      service: service.name,
      directory: service.directory,
      user: nil,
      bridge: ConversationBridge(Silence())
    )
    idle = next
    file = current
  }
}

/// A conversation for a handle that asks nothing.
private final class Silence: PAMConversation {
  func answer(prompt: String, echo: Bool) throws(PAMConversationFailure) -> Secret {
    throw .aborted
  }

  func show(_ text: String, as notice: PAMNotice) throws(PAMConversationFailure) {
    throw .aborted
  }
}
