import Foundation

/// What the person chose, in a file that can be read from the first unlock on (class C).
///
/// It is written by Foundation's call: the plugin of the target has it protect the file.
struct Settings: Codable, Equatable, Sendable {
  /// How many seconds nobody types until the app logs out.
  var idleSeconds = 120

  /// Reads them; what cannot be read now is as at the first start.
  static func read(from home: URL) -> Settings {
    guard let data = try? Data(contentsOf: file(in: home)) else { return Settings() }
    return (try? JSONDecoder().decode(Settings.self, from: data)) ?? Settings()
  }

  func write(to home: URL) throws {
    let data = try JSONEncoder().encode(self)
    try data.write(
      to: Self.file(in: home),
      options: .completeFileProtectionUntilFirstUserAuthentication
    )
  }

  private static func file(in home: URL) -> URL { home.appendingPathComponent("settings.json") }
}
