import Glibc
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthTestSupport
import Testing

@Suite struct AuthenticatorFilesTests {
  private let scratch = ScratchDirectory()

  init() {
    for name in ["etc", "lib"] { scratch.makeDirectory(name) }
  }

  private func write(_ summary: String, to name: String) {
    let file = name.split(separator: "/").last?.dropLast(5) ?? ""
    scratch.write(
      """
      {"name": "\(file)", "summary": "\(summary).", "program": "/usr/lib/p", "kind": "key",
       "asks": "touch"}
      """,
      to: name
    )
  }

  private func read() -> AuthenticatorFiles {
    AuthenticatorFiles(in: [scratch.file("etc"), scratch.file("lib"), scratch.file("none")])
  }

  @Test func manifestsOfAllDirectoriesAreSortedByName() {
    write("One", to: "lib/b.json")
    write("Two", to: "etc/c.json")
    write("Three", to: "lib/a.json")
    #expect(read().entries.map(\.manifest.name) == ["a", "b", "c"])
    #expect(read().problems.isEmpty)
  }

  @Test func theAdministratorsFileReplacesThatOfAPackage() {
    write("Packaged", to: "lib/a.json")
    write("Mine", to: "etc/a.json")
    #expect(read().entries.map(\.manifest.summary) == ["Mine."])
  }

  @Test func aMistakeDoesNotBringBackWhatItWasMeantToReplace() {
    write("Packaged", to: "lib/a.json")
    scratch.write("{", to: "etc/a.json")
    let files = read()
    #expect(files.entries.isEmpty)
    #expect(files.problems.count == 1)
    #expect(files.problems.first?.hasPrefix("\(scratch.file("etc"))/a.json:1:") == true)
  }

  @Test func aFileThatOthersCanWriteIsNotUsed() {
    write("One", to: "etc/a.json")
    // SAFETY: the string is a C string for the length of the call.
    unsafe chmod(scratch.file("etc/a.json"), 0o666)
    #expect(read().entries.isEmpty)
    #expect(read().problems.first?.contains("others can write") == true)
  }

  @Test func aDirectoryThatOthersCanWriteHasNoManifest() {
    write("One", to: "etc/a.json")
    write("Two", to: "lib/b.json")
    // SAFETY: the string is a C string for the length of the call.
    unsafe chmod(scratch.file("etc"), 0o777)
    #expect(read().entries.map(\.manifest.name) == ["b"])
    #expect(read().problems.count == 1)
  }

  @Test func otherFilesAreLeftAlone() {
    scratch.write("text", to: "etc/README")
    #expect(read().entries.isEmpty && read().problems.isEmpty)
  }
}
