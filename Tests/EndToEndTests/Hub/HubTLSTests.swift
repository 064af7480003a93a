import Glibc
import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// A hub that is reached over a network: certificates, names and passwords.
@Suite(
  .enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"),
  .enabled(if: OpenSSLProgram.isInstalled, "needs openssl")
)
struct HubTLSTests {
  private static let scram = """
    local all postgres scram-sha-256
    hostssl all +localauth_device 127.0.0.1/32 scram-sha-256
    """

  private let openssl = OpenSSLProgram()
  private let scratch = Scratch()
  private let port: UInt16

  init() throws {
    port = try Self.freePort()
    _ = try openssl.certify(
      "ca",
      subject: "/CN=hub authority",
      extensions: ["basicConstraints=critical,CA:true"]
    )
    _ = try openssl.certify(
      "other",
      subject: "/CN=another authority",
      extensions: ["basicConstraints=critical,CA:true"]
    )
    for name in ["ca", "other"] { try keep(name) }
  }

  private func keep(_ name: String) throws {
    try Files.write(openssl.read("\(name).pem"), to: scratch.file("\(name).pem"))
    try Files.write(openssl.read("\(name).key"), to: scratch.file("\(name).key"))
  }

  private static func freePort() throws -> UInt16 {
    let socket = FileDescriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: the address lives for both calls, and the size is its own.
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(socket.rawValue, pointer, size) == 0
          && getsockname(socket.rawValue, pointer, &size) == 0
      }
    }
    guard isBound else { throw SystemError("bind", code: errno) }
    return UInt16(bigEndian: address.sin_port)
  }

  /// A hub whose certificate is for this name.
  private func hub(named name: String = "localhost", access: String = scram) throws -> HubDevice {
    _ = try openssl.certify(
      "server",
      subject: "/CN=\(name)",
      extensions: ["subjectAltName=DNS:\(name)"],
      issuer: "ca"
    )
    let server = try PostgreSQLServer(
      [
        "ssl=on", "ssl_cert_file=server.pem", "ssl_key_file=server.key", "ssl_ca_file=ca.pem",
        "listen_addresses=127.0.0.1",
      ],
      port: port,
      files: [
        "server.pem": openssl.read("server.pem"), "server.key": openssl.read("server.key"),
        "ca.pem": openssl.read("ca.pem"),
      ],
      access: access
    )
    return try HubDevice(server)
  }

  private func reply(
    _ hub: HubDevice,
    authority: String = "ca.pem",
    certificate: HubAddress.Certificate? = nil,
    password: String? = nil
  ) throws -> HubReply {
    let address = try #require(
      HubAddress(
        host: "localhost",
        port: port,
        database: "postgres",
        authority: scratch.file(authority),
        role: hub.role,
        certificate: certificate
      )
    )
    if let password {
      return try HubWorker().connect(address, Secret(copying: Array(password.utf8)))
    }
    return try HubWorker().connect(address, hub.password.text)
  }

  private func reason(_ reply: HubReply) -> String {
    if case .failed(.unreachable(let reason)) = reply { return reason }
    return "\(reply)"
  }

  @Test func hubThatProvesItsNameIsSpokenTo() throws { #expect(try reply(hub()) == .done) }

  @Test func anotherAuthorityAnotherNameAndNoFileAreRefused() throws {
    let mine = try hub()
    #expect(try reason(reply(mine, authority: "other.pem")).contains("certificate verify failed"))
    #expect(try reason(reply(mine, authority: "none.pem")).contains("does not exist"))
  }

  @Test func certificateForAnotherNameIsRefused() throws {
    let other = try hub(named: "hub.example")
    #expect(try reason(reply(other)).contains("does not match host name"))
  }

  /// A hub that asks for the password itself gets none: it is proved to this end of the channel only.
  @Test(arguments: ["password", "md5"]) func passwordIsNotShown(_ method: String) throws {
    let access = Self.scram.replacing("127.0.0.1/32 scram-sha-256", with: "127.0.0.1/32 \(method)")
    let greedy = try hub(access: access)
    let outcome = try reply(greedy)
    if method == "password" {
      #expect(reason(outcome).contains("channel binding"))
    } else {
      // The server itself takes SCRAM where it has a verifier.
      #expect(outcome == .done)
    }
  }

  @Test func hubWithoutTLSIsRefused() throws {
    let server = try PostgreSQLServer(
      ["listen_addresses=127.0.0.1"],
      port: port,
      access: Self.scram.replacing("hostssl", with: "host")
    )
    #expect(try reason(reply(HubDevice(server))).contains("SSL"))
  }

  @Test func aHubThatWantsACertificateOfTheDeviceSeesIt() throws {
    let access = Self.scram.replacing(
      "127.0.0.1/32 scram-sha-256",
      with: "127.0.0.1/32 scram-sha-256 clientcert=verify-ca"
    )
    let mine = try hub(access: access)
    _ = try openssl.certify("device", subject: "/CN=laptop", issuer: "ca")
    _ = try openssl.certify("stranger", subject: "/CN=laptop", issuer: "other")
    for name in ["device", "stranger"] { try keep(name) }
    func reason(_ name: String?, password: String? = nil) throws -> String {
      let certificate = try name.map {
        try #require(
          HubAddress.Certificate(
            path: scratch.file("\($0).pem"),
            key: scratch.file("\($0).key")
          )
        )
      }
      let answer = try reply(mine, certificate: certificate, password: password)
      return answer == .done ? "" : self.reason(answer)
    }
    #expect(try reason("device") == "")
    #expect(try reason(nil).contains("requires a valid client certificate"))
    #expect(try reason("stranger") != "")
    #expect(try reason("device", password: "wrong").contains("password authentication failed"))
  }
}
