import Glibc
import LocalAuthSecret

/// The hash functions of one-time codes.
enum CodeAlgorithm: String, CaseIterable {
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha512 = "SHA512"

  fileprivate var function: String {
    switch self {
    case .sha1: "EVP_sha1"
    case .sha256: "EVP_sha256"
    case .sha512: "EVP_sha512"
    }
  }
}

/// HMAC of the system's libcrypto.
///
/// It is loaded when it is first needed: linked, it would make each start of the program a
/// millisecond longer.
@safe
struct LibraryHMAC {
  private typealias Digest = @convention(c) () -> OpaquePointer?
  private typealias Function =
    @convention(c) (
      OpaquePointer?, UnsafeRawPointer?, CInt, UnsafePointer<UInt8>?, Int,
      UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CUnsignedInt>?
    ) -> UnsafeMutablePointer<UInt8>?

  /// The name of OpenSSL 3, whose interface does not change.
  private static let library = "libcrypto.so.3"
  /// The length of the longest result in bytes.
  private static let longest = 64

  private let hmac: Function
  private let digest: OpaquePointer

  /// Loads the library; nil if it is not there.
  init?(_ algorithm: CodeAlgorithm) {
    // SAFETY: names are C strings for the calls; the library is never unloaded; the types are those
    // of its header <openssl/hmac.h>, which OpenSSL 3 keeps.
    guard let handle = unsafe dlopen(Self.library, RTLD_NOW | RTLD_LOCAL),
      let found = unsafe dlsym(handle, "HMAC"),
      let foundDigest = unsafe dlsym(handle, algorithm.function),
      let digest = unsafe unsafeBitCast(foundDigest, to: Digest.self)()
    else { return nil }
    unsafe hmac = unsafeBitCast(found, to: Function.self)
    unsafe self.digest = digest
  }

  /// Returns the code of `message`; nil if the library fails.
  func code(of message: [UInt8], key: borrowing Secret) -> Secret? {
    var code = Secret(capacity: Self.longest)
    // SAFETY: all bytes stay in place during the call, which writes at most `longest` of them.
    let isDone = unsafe key.withUnsafeBytes { key in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe code.withUnsafeMutableBytes { room, used in
          var count = CUnsignedInt(0)
          let bytes = unsafe room.bindMemory(to: UInt8.self)
          let result = unsafe hmac(
            digest,
            key.baseAddress,
            CInt(key.count),
            message.baseAddress,
            message.count,
            bytes.baseAddress,
            &count
          )
          used = unsafe result == nil ? 0 : Int(count)
          return unsafe result != nil
        }
      }
    }
    guard isDone else { return nil }
    return code
  }
}
