import LoopbackHTTP
import Testing

@Suite struct HTTPRequestTests {
  private func request(_ lines: String...) -> HTTPRequest? {
    HTTPRequest(head: Array((lines + ["", ""]).joined(separator: "\r\n").utf8))
  }

  @Test func readsWhatClientsSend() {
    let found = request(
      "DELETE /releases/42 HTTP/1.1",
      "Host: 127.0.0.1:1",
      "Accept: */*",
      "authorization:  bearer a.b.c "
    )
    #expect(found?.method == "DELETE" && found?.path == "/releases/42")
    #expect(found?["ACCEPT"] == "*/*")
    #expect(found?.bearer == "a.b.c")
    #expect(request("GET / HTTP/1.1", "Host: a", "Content-Length: 0")?.bearer == nil)
  }

  @Test(arguments: ["Basic a", "Bearer", "Bearer a b", "Bearer  "])
  func readsNoTokenWhereThereIsNone(_ value: String) {
    #expect(request("GET / HTTP/1.1", "Host: a", "Authorization: \(value)")?.bearer == nil)
  }

  @Test func refusesWhatTwoReadersCouldReadDifferently() {
    let good = "GET / HTTP/1.1"
    #expect(request(good, "Host: a") != nil)
    for first in [
      "GET / HTTP/1.0", "GET  / HTTP/1.1", "GET a HTTP/1.1", "GET /", "", " / HTTP/1.1",
    ] {
      #expect(request(first, "Host: a") == nil, "\(first)")
    }
    for line in [
      "Host: b", "Content-Length: 1", "Transfer-Encoding: chunked", "Host : b", " folded",
      "no colon", ": x", "X: a\u{0}", "X: é", "Content-Length: 0\r\nContent-Length: 0",
      "Authorization: Bearer a\r\nAuthorization: Bearer b",
    ] {
      #expect(request(good, "Host: a", line) == nil, "\(line)")
    }
    #expect(request(good) == nil, "no host")
    #expect(HTTPRequest(head: Array("\(good)\r\nHost: a\r\n\r\nbody".utf8)) == nil)
    #expect(HTTPRequest(head: Array("\(good)\nHost: a\n\n".utf8)) == nil)
    #expect(request(good, "Host: a", "X: " + String(repeating: "x", count: 16_384)) == nil)
  }
}
