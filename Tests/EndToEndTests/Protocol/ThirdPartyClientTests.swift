import LocalAuthUnix
import Testing

/// A client that somebody else wrote understands the service.
@Suite struct ThirdPartyClientTests {
  /// Beside this file's directory.
  private static let script =
    #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
    + "/third-party-client.py"
  /// Where .ci/setup installs it.
  private static let python =
    #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    + "/.build/python/bin/python"
  private static let isInstalled =
    (try? RunningProgram.run(python, ["-c", "import varlink"]))?.status == 0

  @Test(.enabled(if: isInstalled, "needs PyPI's varlink, which .ci/setup installs"))
  func introspectsAndAnswersAPrompt() throws {
    let scratch = Scratch()
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let report = try RunningProgram.run(Self.python, [Self.script, "unix:" + daemon.socket])
    #expect(report.status == 0, "\(report.errors)")
    #expect(report.output == "ok\n")
  }
}
