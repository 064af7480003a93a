import LocalAuthRNCryptor

extension MessageHeader {
  /// Returns the whole message of `content` that begins with this header, in whatever format.
  func sealing(_ content: [UInt8], _ keys: borrowing MessageKeys) -> [UInt8] {
    let cipher = MessageCipher(.encrypt, keys, self)
    var ciphertext = [UInt8](repeating: 0, count: MessageCipher.room(for: content.count) + 16)
    let count = unsafe ciphertext.withUnsafeMutableBytes { room in
      let count = unsafe content.withUnsafeBytes { unsafe cipher.update($0, into: room) }
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...])
      return unsafe count + (cipher.finish(into: rest) ?? 0)
    }
    let mac = MessageMAC(keys, self)
    unsafe ciphertext.prefix(count).withUnsafeBytes { unsafe mac.update($0) }
    return bytes + ciphertext.prefix(count) + mac.finish()
  }
}
