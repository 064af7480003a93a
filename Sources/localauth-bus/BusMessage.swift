import CLocalAuthSystemd
import Glibc
import LocalAuthUnix

/// A message that came over the bus; its contents are read in their order.
///
/// What has another type than expected is nil.
@safe
final class BusMessage {
  private let message: OpaquePointer

  init(_ message: OpaquePointer) {
    unsafe self.message = unsafe sd_bus_message_ref(message)
  }

  deinit { unsafe sd_bus_message_unref(message) }

  /// The unique name of the sender.
  var sender: String? { unsafe Self.text(sd_bus_message_get_sender(message)) }
  /// The name of the signal.
  var member: String? { unsafe Self.text(sd_bus_message_get_member(message)) }

  /// The error, if it is one.
  var error: BusError? {
    guard unsafe sd_bus_message_is_method_error(message, nil) > 0 else { return nil }
    guard let error = unsafe sd_bus_message_get_error(message) else {
      return BusError(name: "org.freedesktop.DBus.Error.Failed", message: "")
    }
    return unsafe BusError(
      name: Self.text(error.pointee.name) ?? "",
      message: Self.text(error.pointee.message) ?? ""
    )
  }

  /// Reads a text, or the path of an object.
  func text() -> String? {
    var text: UnsafePointer<CChar>?
    for type in [UInt8(ascii: "s"), UInt8(ascii: "o")]
    where unsafe sd_bus_message_read_basic(message, CChar(type), &text) > 0 {
      return unsafe Self.text(text)
    }
    return nil
  }

  /// Reads a truth value.
  func flag() -> Bool? {
    var value: Int32 = 0
    guard unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &value) > 0 else {
      return nil
    }
    return value != 0
  }

  /// Reads a number.
  func number() -> Int32? {
    var value: Int32 = 0
    guard unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "i")), &value) > 0 else {
      return nil
    }
    return value
  }

  /// Reads a descriptor, which is the caller's own.
  func descriptor() -> FileDescriptor? {
    var number: Int32 = -1
    guard unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "h")), &number) > 0 else {
      return nil
    }
    // The message closes its own.
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    return copy >= 0 ? FileDescriptor(owning: copy) : nil
  }

  /// Reads what a variant of this type holds.
  func variant<Value>(_ type: String, _ read: (BusMessage) -> Value?) -> Value? {
    inside("v", type, read) ?? nil
  }

  /// Reads a list of texts or paths, at most 256.
  func texts(_ type: String) -> [String]? {
    inside("a", type) { message in
      var texts: [String] = []
      while texts.count < 256, let text = message.text() { texts.append(text) }
      return texts
    }
  }

  /// Reads a dictionary of properties; `body` reads the value of each, or leaves it.
  func properties(_ body: (String, BusMessage) -> Void) {
    _ = inside("a", "{sv}") { message in
      while unsafe sd_bus_message_enter_container(message.message, Self.type("e"), "sv") > 0 {
        if let key = message.text() { body(key, message) }
        while unsafe sd_bus_message_at_end(message.message, 0) == 0 {
          guard unsafe sd_bus_message_skip(message.message, nil) >= 0 else { return }
        }
        unsafe sd_bus_message_exit_container(message.message)
      }
    }
  }

  private func inside<Value>(
    _ container: String,
    _ type: String,
    _ read: (BusMessage) -> Value
  ) -> Value? {
    guard unsafe sd_bus_message_enter_container(message, Self.type(container), type) > 0 else {
      return nil
    }
    defer { unsafe sd_bus_message_exit_container(message) }
    return read(self)
  }

  private static func type(_ name: String) -> CChar { CChar(name.utf8.first ?? 0) }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}
