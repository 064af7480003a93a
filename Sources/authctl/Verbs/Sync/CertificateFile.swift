import Glibc
import LocalAuthCore
import LocalAuthUnix

/// A file with a certificate, as the daemon is told of one.
enum CertificateFile {
  /// The most bytes that are looked at, which bundles of all public authorities have not.
  private static let limit = 4 * 1024 * 1024

  /// Throws unless the file at `path` has a certificate: without one the daemon would try again for ever.
  static func check(_ path: String, _ hint: String) throws(Failure) {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard opened >= 0 else { throw Failure(.usage, errno: errno, "\(path) cannot be read") }
    let file = FileDescriptor(owning: opened)
    var text: [UInt8] = []
    while text.count < limit {
      let part: [UInt8]
      do throws(SystemError) { part = try file.readAvailable(limit: 1 << 16) } catch {
        throw Failure(.usage, errno: error.code, "\(path) cannot be read")
      }
      guard !part.isEmpty else { break }
      text += part
    }
    guard hasCertificate(String(decoding: text, as: UTF8.self)) else {
      throw Failure(.usage, "\(path) has no certificate: \(hint).")
    }
  }

  /// Whether OpenSSL would find one, as far as its first and last line go.
  private static func hasCertificate(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline)
    let kinds = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]
    return kinds.contains { kind in
      guard let first = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN \(kind)-----") }) else {
        return false
      }
      return lines[first...].contains { $0.hasPrefix("-----END \(kind)-----") }
    }
  }
}
