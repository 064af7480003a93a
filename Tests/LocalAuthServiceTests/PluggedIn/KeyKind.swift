import LocalAuthCore
import LocalAuthPolicies

/// A kind of authenticator that LocalAuth does not have: something that is touched, and judges by itself.
extension AuthenticatorKind {
  static let badge = Self(name: "badge", evidence: .possession, factor: .possession)
}

extension PolicyDirectory {
  /// Policies that ask for a key: alone, or else for the passcode, as well as a finger, together with the passcode.
  static let withKeys = PolicyDirectory(
    path: "/etc/localauth",
    files: [
      file("key", "\"possession\""),
      file("key-or-passcode", "{\"anyOf\": [\"possession\", \"passcode\"]}"),
      file("finger-or-key", "{\"anyOf\": [\"biometry\", \"possession\"]}", "parallel"),
      file("home", "{\"authenticator\": \"home-key\"}"),
      file("key-with-passcode", "{\"allOf\": [\"possession\", \"passcode\"]}", "parallel"),
      file("key-and-passcode", "{\"allOf\": [\"possession\", \"passcode\"]}"),
    ]
  )

  private static func file(
    _ name: String,
    _ requirement: String,
    _ presentation: String = "sequential"
  ) -> File {
    let text = """
      {"name": "\(name)", "summary": "Asks for a key.", "requirement": \(requirement),
       "presentation": "\(presentation)", "grant": {"maxAge": "5m"}}
      """
    return File(path: "policy/\(name).json", contents: .bytes(Array(text.utf8)))
  }
}
