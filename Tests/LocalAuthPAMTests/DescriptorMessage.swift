import Glibc

/// A message of one byte with descriptors, as nobody but an attacker sends it.
enum DescriptorMessage {
  /// SCM_RIGHTS, which Glibc's module does not have.
  private static let rights: Int32 = 1

  /// Sends `descriptors` in one message; false if the kernel refuses.
  static func send(_ descriptors: [Int32], over connection: Int32) -> Bool {
    let header = MemoryLayout<cmsghdr>.size
    let size = descriptors.count * MemoryLayout<Int32>.size
    var control = [UInt64](repeating: 0, count: (header + size + 7) / 8)
    var byte: UInt8 = 0
    return unsafe control.withUnsafeMutableBytes { control in
      unsafe control.storeBytes(of: header + size, as: Int.self)
      unsafe control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      unsafe control.storeBytes(of: rights, toByteOffset: 12, as: Int32.self)
      for (index, descriptor) in descriptors.enumerated() {
        unsafe control.storeBytes(
          of: descriptor,
          toByteOffset: header + 4 * index,
          as: Int32.self
        )
      }
      return unsafe withUnsafeMutablePointer(to: &byte) { byte in
        var part = unsafe iovec(iov_base: byte, iov_len: 1)
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var message = unsafe msghdr()
          unsafe message.msg_iov = part
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = control.baseAddress
          unsafe message.msg_controllen = header + size
          return unsafe sendmsg(connection, &message, Int32(MSG_NOSIGNAL)) == 1
        }
      }
    }
  }
}
