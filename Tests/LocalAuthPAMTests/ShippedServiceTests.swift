import LocalAuthCore
import Testing

@Suite struct ShippedServiceTests {
  @Test(arguments: ["localauth", "testing/localauth-permit"])
  func namesItsModulesAndIncludesNothing(name: String) throws {
    let lines = try lines(of: name)
    for line in lines {
      #expect(!line.hasPrefix("@"))
      #expect(!line.contains("include") && !line.contains("substack") && !line.contains("common-"))
    }
    #expect(Set(lines.map { line in line.prefix { $0 != " " } }) == ["auth", "account"])
  }

  @Test func installedServiceLetsNobodyInUnasked() throws {
    for line in try lines(of: "localauth") {
      #expect(!line.contains("pam_permit") && !line.contains("nullok"))
    }
  }

  @Test func permitStackProvesWithoutAPrompt() throws {
    let stack = try PAMStack()
    try stack.write(try text(of: "testing/localauth-permit"))
    #expect(try SpawnedWorker(stack).judge() == .match)
  }

  /// The lines that are no comments.
  private func lines(of name: String) throws -> [Substring] {
    try text(of: name).split(separator: "\n").filter { line in !line.hasPrefix("#") }
  }

  private func text(of name: String) throws -> String {
    String(decoding: try ProcessMemory.read(PAMStack.shippedService(name)), as: UTF8.self)
  }
}
