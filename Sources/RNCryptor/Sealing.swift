internal import CommonCrypto
internal import Foundation

/// A message under way: AES-256 in CBC mode, and an HMAC over its header and all ciphertext.
///
/// For one thread at a time.
@safe final class Sealing {
  private let cipher: CCCryptorRef
  private let mac: UnsafeMutablePointer<CCHmacContext>
  private var hasEnded = false

  @unsafe
  init(
    _ key: UnsafeRawBufferPointer,
    _ macKey: UnsafeRawBufferPointer,
    _ vector: Data,
    after header: Data
  ) {
    var made: CCCryptorRef?
    let status = unsafe vector.withUnsafeBytes { vector in
      unsafe CCCryptorCreate(
        CCOperation(kCCEncrypt),
        CCAlgorithm(kCCAlgorithmAES),
        CCOptions(kCCOptionPKCS7Padding),
        key.baseAddress,
        key.count,
        vector.baseAddress,
        &made
      )
    }
    guard status == kCCSuccess, let made = unsafe made else {
      preconditionFailure("no memory left")
    }
    unsafe cipher = made
    unsafe mac = .allocate(capacity: 1)
    unsafe CCHmacInit(mac, CCHmacAlgorithm(kCCHmacAlgSHA256), macKey.baseAddress, macKey.count)
    authenticate(header)
  }

  deinit {
    unsafe CCCryptorRelease(cipher)
    // The context of an HMAC is wiped when it ends.
    if !hasEnded { _ = tag() }
    unsafe mac.deallocate()
  }

  /// Returns the ciphertext that is complete after `data`.
  func update(_ data: Data) -> Data {
    precondition(!hasEnded, "the message has ended")
    let room = unsafe CCCryptorGetOutputLength(cipher, data.count, false)
    let ciphertext = unsafe written(room) { to, count in
      unsafe data.withUnsafeBytes { from in
        unsafe CCCryptorUpdate(
          cipher,
          from.baseAddress,
          from.count,
          to.baseAddress,
          to.count,
          &count
        )
      }
    }
    authenticate(ciphertext)
    return ciphertext
  }

  /// Returns the last block and the HMAC.
  func final() -> Data {
    precondition(!hasEnded, "the message has ended")
    let room = unsafe CCCryptorGetOutputLength(cipher, 0, true)
    let last = unsafe written(room) { to, count in
      unsafe CCCryptorFinal(cipher, to.baseAddress, to.count, &count)
    }
    authenticate(last)
    hasEnded = true
    return last + tag()
  }

  private func written(
    _ room: Int,
    _ write: (UnsafeMutableRawBufferPointer, inout Int) -> CCCryptorStatus
  ) -> Data {
    var data = Data(count: room)
    var count = 0
    let status = unsafe data.withUnsafeMutableBytes { unsafe write($0, &count) }
    precondition(status == kCCSuccess, "there is room for the ciphertext")
    data.count = count
    return data
  }

  private func authenticate(_ bytes: Data) {
    unsafe bytes.withUnsafeBytes { unsafe CCHmacUpdate(mac, $0.baseAddress, $0.count) }
  }

  private func tag() -> Data {
    var tag = Data(count: RNCryptor.FormatV3.macSize)
    unsafe tag.withUnsafeMutableBytes { unsafe CCHmacFinal(mac, $0.baseAddress) }
    return tag
  }
}
