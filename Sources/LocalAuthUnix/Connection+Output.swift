import CLocalAuthLinux
import Glibc

extension Connection {
  func transmit(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var sent = 0
    if output.isEmpty {
      // SAFETY: the shim reads `count` bytes during the call.
      sent = unsafe la_send_terminated(descriptor, bytes.baseAddress, bytes.count)
      if sent == bytes.count + 1 { return true }
      if sent < 0, sent != -Int(EAGAIN) {
        finish(Self.sendFailure(sent))
        return false
      }
      sent = max(sent, 0)
    }
    return unsafe enqueue(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
  }

  /// Queues the unsent rest of a message and its NUL.
  private func enqueue(_ rest: UnsafeRawBufferPointer) -> Bool {
    let size = rest.count + 1
    guard output.count + size <= limits.outputSize else {
      finish(.outputTooLarge)
      return false
    }
    guard mayKeep(size) else {
      finish(.noRoom)
      return false
    }
    do throws(SystemError) {
      // SAFETY: makeRoom returns space for `size` bytes, one more than `rest` has.
      let room = try unsafe output.makeRoom(size)
      if let start = rest.baseAddress {
        unsafe room.copyMemory(from: start, byteCount: rest.count)
      }
      unsafe room.storeBytes(of: 0, toByteOffset: rest.count, as: UInt8.self)
      output.didFill(size)
    } catch {
      finish(.failed(error))
      return false
    }
    updateInterest()
    return state != .closed
  }

  func flush() {
    while !output.isEmpty, let start = unsafe output.bytes.baseAddress {
      // SAFETY: the queue holds `count` bytes there and does not change during the call.
      let sent = unsafe la_send(descriptor, start, output.count)
      if sent == -Int(EAGAIN) { return }
      guard sent >= 0 else { return finish(Self.sendFailure(sent)) }
      output.removeFirst(sent)
    }
    updateInterest()
    if state == .flushing { finish(.closedHere) }
  }

  private static func sendFailure(_ result: Int) -> CloseReason {
    switch Int32(-result) {
    case EPIPE, ECONNRESET: .peerClosed
    case let code: .failed(SystemError("sendmsg", code: code))
    }
  }
}
