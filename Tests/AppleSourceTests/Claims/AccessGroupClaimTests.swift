import LocalAuthTestKit
import Security
import Testing

/// Section 2.6: access groups; each list of them has a process of its own.
@Suite(.enabled(if: EntitledProcess.name == nil))
struct AccessGroupClaimTests {
  private func run(
    _ suite: String,
    as name: String,
    _ rule: String,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let directory = try EntitledProcess.directory(rules: #"{"rules": [\#(rule)]}"#)
    defer { try? FileManager.default.removeItem(at: directory) }
    let place: String = directory.path
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent],
      sourceLocation: location
    ) { [suite = suite as String, name = name as String, place = place as String] in
      EntitledProcess.become(name, running: suite, in: place)
      exit(EXIT_FAILURE)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    // A filter that matches nothing is no success.
    #expect(text.contains("Suite \(suite) passed"), "\(text)", sourceLocation: location)
  }

  @Test func listedGroupsAreOpenAndOthersAreNot() async throws {
    try await run(
      "ListedGroupTests",
      as: "listed",
      #"""
      {"applicationIdentifier": "TEAM.app", "groups": ["TEAM.first", "TEAM.shared"],
      "applicationGroups": ["group.TEAM"]}
      """#
    )
  }

  @Test func aProgramWithoutGroupsIsRefusedEverything() async throws {
    try await run(
      "NoGroupTests",
      as: "none",
      #"{"uid": 4294967294, "applicationIdentifier": "TEAM.other", "groups": ["TEAM.other"]}"#
    )
  }

  @Test func theWildcardOpensEveryGroup() async throws {
    try await run(
      "AnyGroupTests",
      as: "any",
      #"{"applicationIdentifier": "TEAM.admin", "groups": ["*"]}"#
    )
  }

  @Test func theTokensGroupIsReadOnly() async throws {
    try await run(
      "TokenGroupTests",
      as: "token",
      #"{"applicationIdentifier": "TEAM.app", "groups": ["TEAM.first", "com.apple.token"]}"#
    )
  }

  /// docs/apple-source.md: without a file every program is `local`.
  @Test func withoutAListEveryProgramIsLocal() throws {
    let device = try TestDevice.phone()
    device.use {
      #expect(Items.add(.generic()) == errSecSuccess)
      #expect(Items.attributes(.generic())?[kSecAttrAccessGroup] as? String == "local")
    }
  }
}
