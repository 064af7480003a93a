import Testing

/// Who installs a hub and gives out codes.
struct SyncHubAdministrator {
  private let server: PostgreSQLServer
  private let scratch: Scratch

  init(_ server: PostgreSQLServer, _ scratch: Scratch) {
    self.server = server
    self.scratch = scratch
  }

  private func type(_ words: String...) throws {
    let said = try RunningProgram.run(
      Machine.authctl,
      ["hub"] + words.prefix(1) + ["host=\(server.directory) dbname=postgres user=postgres"]
        + words.dropFirst(),
      environment: [
        "PATH=/usr/bin:/bin", "LOCALAUTH_DAEMON=\(Machine.localauthd)",
        "PGPASSFILE=\(server.passwords(in: scratch))",
      ]
    )
    try #require(said.status == 0, "\(said)")
  }

  func install() throws { try type("install") }

  /// A code with which a device founds a circle.
  func code() throws -> String {
    let file = scratch.file("code")
    try type("found", "--out", file)
    defer { Files.remove(file) }
    return try Files.text(file)
  }
}
