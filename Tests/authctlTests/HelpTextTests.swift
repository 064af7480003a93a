import Testing

@testable import authctl

@Suite struct HelpTextTests {
  @Test func showsAVerb() {
    let text = HelpText.render(
      Sample.create,
      path: ["authctl", "device", "create"],
      globals: GlobalOptions.all
    )
    #expect(
      text == """
        Make a simulated device.

        Usage:
          authctl device create [--sensor KIND] [--finger FINGER ...]
              [--passcode-stdin | --passcode-fd N] NAME

        Arguments:
          NAME  the name of the new device

        Options:
          --sensor KIND     its sensor (one of simulated, none; default: simulated)
          --finger FINGER   a finger to enroll (may be repeated)
          --passcode-stdin  read the passcode from standard input
          --passcode-fd N   read the passcode from this descriptor

        Options of every verb:
          --home DIR     the state directory of the daemon to use
          --socket PATH  the socket of the daemon to use
          --system       use the service of the system, not your own daemon
          --user USER    with --system, as root: the user whose devices are meant
          --device NAME  the device to use; a simulated one counts only when named
          --json         print one JSON object on standard output
          --quiet        print nothing that the exit status says already
          --version      print the version
          -h, --help     explain the verb

        """
    )
  }

  @Test func showsVerbsAndExamplesAsTheyAre() {
    let root = HelpText.render(Sample.line.root, path: ["authctl"], globals: [])
    #expect(root.contains("\n  device      Make, list and change devices.\n"))
    let evaluate = HelpText.render(Sample.evaluate, path: ["authctl", "evaluate"], globals: [])
    let example = "\n\n  authctl evaluate --policy device-owner --reason \"deploy\" && ./deploy\n"
    #expect(evaluate.contains(example))
    #expect(evaluate.contains("the policy to judge (required)"))
  }

  @Test func fitsEightyColumnsOfASCII() {
    for (path, command) in Sample.line.allCommands {
      let text = HelpText.render(command, path: path, globals: Sample.line.globals)
      for line in text.split(separator: "\n") {
        #expect(line.utf8.count <= 80, "\(path): \(line)")
        #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        #expect(line.last != " ")
      }
    }
  }

  @Test func wrapsAtTheWidthAndNotBefore() {
    #expect(TextWrap.wrap("aa bb cc", width: 5) == ["aa bb", "cc"])
    #expect(TextWrap.wrap("aa bb cc", width: 4) == ["aa", "bb", "cc"])
    #expect(TextWrap.wrap("aaaaaa b", width: 4) == ["aaaaaa", "b"])
    #expect(TextWrap.wrap("", width: 4) == [])
  }
}
