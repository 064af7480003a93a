/// What a request is answered with.
public struct HTTPResponse: Hashable, Sendable {
  /// The status and its name, as they are written.
  public enum Status: String, Sendable {
    case ok = "200 OK"
    case badRequest = "400 Bad Request"
    case unauthorized = "401 Unauthorized"
    case forbidden = "403 Forbidden"
    case notFound = "404 Not Found"
    case methodNotAllowed = "405 Method Not Allowed"
  }

  /// How the request went.
  public var status: Status
  /// The value of `WWW-Authenticate`, where there is one.
  public var challenge: String?
  /// JSON.
  public var body: String

  /// An answer with this status and body.
  public init(_ status: Status, _ body: String, challenge: String? = nil) {
    self.status = status
    self.body = body
    self.challenge = challenge
  }

  var bytes: [UInt8] {
    var lines = [
      "HTTP/1.1 \(status.rawValue)", "Content-Type: application/json",
      "Content-Length: \(body.utf8.count)", "Cache-Control: no-store", "Connection: close",
    ]
    if let challenge { lines.append("WWW-Authenticate: \(challenge)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}
