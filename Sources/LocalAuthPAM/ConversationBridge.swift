import CLocalAuthPAM
import Glibc
import LocalAuthSecret

/// Connects the C callback of libpam to a ``PAMConversation`` and enforces the limits.
///
/// After its first failure it answers nothing more, so that a module that continues after a
/// cancelled prompt gets no second chance.
final class ConversationBridge {
  private let conversation: any PAMConversation
  private var promptsLeft = ConversationLimits.promptsMax
  private var noticesLeft = ConversationLimits.textsMax
  /// The number of prompts answered.
  private(set) var answers = 0
  /// Why the conversation ended early.
  private(set) var failure: PAMConversationFailure?

  init(_ conversation: any PAMConversation) {
    self.conversation = conversation
  }

  /// The callback for libpam, which copies the structure but not the bridge: that must outlive the
  /// handle.
  var callback: pam_conv {
    // SAFETY: PAMHandle keeps the bridge alive until after pam_end, the last user of the pointer.
    unsafe pam_conv(
      conv: { count, messages, responses, bridge in
        guard let bridge = unsafe bridge, let responses = unsafe responses else {
          return PAM_CONV_ERR
        }
        return unsafe Unmanaged<ConversationBridge>.fromOpaque(bridge).takeUnretainedValue()
          .converse(count, messages, responses)
      },
      appdata_ptr: Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Handles one call, which may carry several messages; returns all of the answers or none.
  private func converse(
    _ count: Int32,
    _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    _ responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>
  ) -> Int32 {
    unsafe responses.pointee = nil
    guard failure == nil, let messages = unsafe messages, (1...PAM_MAX_NUM_MSG).contains(count),
      let array = unsafe calloc(Int(count), MemoryLayout<pam_response>.stride)
    else { return PAM_CONV_ERR }
    // SAFETY: calloc gave `count` zeroed responses; zero is a valid value of every field.
    let answers = unsafe UnsafeMutableBufferPointer(
      start: array.assumingMemoryBound(to: pam_response.self),
      count: Int(count)
    )
    for index in answers.indices {
      guard let message = unsafe messages[index]?.pointee,
        unsafe handle(message, response: &answers[index])
      else {
        unsafe Self.wipe(answers)
        return PAM_CONV_ERR
      }
    }
    unsafe responses.pointee = answers.baseAddress
    return PAM_SUCCESS
  }

  /// Handles one message; returns false if the whole call fails.
  private func handle(_ message: pam_message, response: inout pam_response) -> Bool {
    let text = unsafe Self.text(message.msg)
    do throws(PAMConversationFailure) {
      switch unsafe message.msg_style {
      case PAM_PROMPT_ECHO_OFF: return unsafe try ask(text, echo: false, response: &response)
      case PAM_PROMPT_ECHO_ON: return unsafe try ask(text, echo: true, response: &response)
      case PAM_ERROR_MSG: try show(text, as: .error)
      case PAM_TEXT_INFO: try show(text, as: .info)
      // Binary and radio prompts are not supported.
      default: return false
      }
      return true
    } catch {
      failure = error
      return false
    }
  }

  private func show(_ text: String, as notice: PAMNotice) throws(PAMConversationFailure) {
    guard noticesLeft > 0 else { throw .tooManyMessages }
    noticesLeft -= 1
    try conversation.show(text, as: notice)
  }

  private func ask(
    _ text: String,
    echo: Bool,
    response: inout pam_response
  ) throws(PAMConversationFailure) -> Bool {
    guard promptsLeft > 0 else { throw .tooManyMessages }
    promptsLeft -= 1
    let answer = try conversation.answer(prompt: text, echo: echo)
    answers += 1
    return unsafe answer.withUnsafeBytes { bytes in
      // PAM owns the copy from here on; its modules wipe and free it.
      guard let copy = unsafe calloc(1, bytes.count + 1) else { return false }
      if let source = bytes.baseAddress {
        unsafe copy.copyMemory(from: source, byteCount: bytes.count)
      }
      // SAFETY: the copy ends with a NUL, because calloc cleared one byte more than it needs.
      unsafe response.resp = copy.assumingMemoryBound(to: CChar.self)
      return true
    }
  }

  /// A module's text, cut at the limit.
  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    // SAFETY: the message ends with a NUL, and strnlen stops there or at the limit.
    let bytes = unsafe UnsafeRawBufferPointer(
      start: pointer,
      count: strnlen(pointer, ConversationLimits.textSizeMax)
    )
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// Wipes and frees answers that will not reach PAM.
  private static func wipe(_ responses: UnsafeMutableBufferPointer<pam_response>) {
    for index in responses.indices {
      guard let answer = unsafe responses[index].resp else { continue }
      // SAFETY: each answer is a C string from calloc, and nothing else refers to it.
      unsafe explicit_bzero(answer, strlen(answer))
      unsafe free(answer)
    }
    unsafe free(responses.baseAddress)
  }
}
