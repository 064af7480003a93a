import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import Testing

@testable import authctl

/// What a keychain line asks for.
@Suite struct KeychainRequestTests {
  private struct NotARun: Error {}

  private func arguments(_ line: String) throws -> ItemArguments {
    let words = line.split(separator: " ").map { String($0) }
    guard case .run(_, let arguments) = try CommandTable.tree.parse(["keychain"] + words) else {
      throw NotARun()
    }
    return ItemArguments(arguments)
  }

  private func isRefused(_ line: String) -> Bool { (try? arguments(line)) == nil }

  private func failure(_ body: () throws(Failure) -> QueryDictionary) -> Failure? {
    do throws(Failure) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func everyAttributeHasItsKey() throws {
    let generic = try arguments(
      "add --account a --service s --generic g --label l --comment c --description d"
        + " --synchronizable --access-group x"
    ).item()
    #expect(
      Set(generic.entries)
        == Set(
          QueryDictionary(
            dictionaryLiteral: ("class", .text("genp")),
            ("acct", .text("a")),
            ("svce", .text("s")),
            ("gena", .text("g")),
            ("labl", .text("l")),
            ("icmt", .text("c")),
            ("desc", .text("d")),
            ("sync", .boolean(true)),
            ("agrp", .text("x"))
          ).entries
        )
    )
    let internet = try arguments(
      "add --class inet --server h --path /p --security-domain r --port 443 --protocol https"
    ).item()
    #expect(
      Set(internet.entries)
        == Set(
          QueryDictionary(
            dictionaryLiteral: ("class", .text("inet")),
            ("srvr", .text("h")),
            ("path", .text("/p")),
            ("sdmn", .text("r")),
            ("port", .number(443)),
            ("ptcl", .text("htps"))
          ).entries
        )
    )
    let key = try arguments("add --class key --application-tag t").item()
    #expect(key["atag"] == .text("t"))
  }

  @Test(arguments: [
    ("generic-password", "genp"), ("genp", "genp"), ("internet-password", "inet"),
    ("certificate", "cert"), ("cert", "cert"), ("key", "keys"), ("keys", "keys"),
  ]) func classesHaveWordsAndApplesNames(_ word: String, _ name: String) throws {
    #expect(try arguments("list --class \(word)").query(isAll: true)["class"] == .text(name))
  }

  @Test func protectionIsPartOfAnAccessControl() throws {
    let plain = try arguments("add mail --accessible afterFirstUnlock").item()
    #expect(plain["pdmn"] == .text("ck"))
    let guarded = try arguments(
      "add mail --accessible whenPasscodeSetThisDeviceOnly"
        + " --access-control biometryCurrentSet,or,devicePasscode"
    ).item()
    #expect(guarded["pdmn"] == nil)
    let control = try AccessControl(
      .whenPasscodeSetThisDeviceOnly,
      flags: [.biometryCurrentSet, .or, .devicePasscode]
    )
    #expect(guarded["accc"] == .accessControl(control))
    let standard = try arguments("add mail --access-control biometryAny").item()
    #expect(
      try standard["accc"] == .accessControl(AccessControl(.whenUnlocked, flags: .biometryAny))
    )
  }

  @Test(arguments: ["add", "add --accessible afterFirstUnlock", "generate --class inet"])
  func anItemThatNothingNamesIsRefused(_ line: String) throws {
    let nameless = try arguments(line)
    #expect(failure { () throws(Failure) in try nameless.namedItem() }?.outcome == .usage)
  }

  @Test(arguments: ["add --account=", "add --label x", "add mail"])
  func anItemThatAnythingNamesIsTaken(_ line: String) throws {
    let named = try arguments(line)
    #expect(failure { () throws(Failure) in try named.namedItem() } == nil)
  }

  @Test func anAddressIsRefusedAndTheAdviceIsUnderstood() throws {
    for line in ["add https://user@host.example", "add https://host.example/x --class inet"] {
      let address = try arguments(line)
      let refused = failure { () throws(Failure) in try address.namedItem() }
      #expect(refused?.outcome == .usage)
      #expect(refused?.message.contains("--class internet-password") == true)
    }
    let advised = try arguments("add host.example/user --class internet-password --protocol https")
    #expect(try advised.item()["srvr"] == .text("host.example"))
    #expect(try advised.item()["acct"] == .text("user"))
  }

  @Test func askingAtEachUseIsAFlagOfTheAccessControl() throws {
    let control = try AccessControl(.whenUnlocked, flags: [.biometryAny, .eachUse])
    for line in [
      "add --account a --access-control biometryAny --each-use",
      "add --account a --access-control biometryAny,eachUse",
      "add --account a --access-control biometryAny,eachUse --each-use",
    ] {
      #expect(try arguments(line).item()["accc"] == .accessControl(control))
    }
    let changes = try arguments("update --account a --set-access-control biometryAny,eachUse")
      .changes()
    #expect(changes["accc"] == .accessControl(control))
  }

  @Test func askingAtEachUseNeedsSomethingToAskFor() throws {
    let alone = try arguments("add --account a --each-use")
    let refused = failure { () throws(Failure) in try alone.item() }
    #expect(refused?.outcome == .usage)
    #expect(
      refused?.message == "'--each-use' says how often to ask: say what for, --access-control."
    )
    let password = try arguments("add --account a --access-control applicationPassword --each-use")
    #expect(failure { () throws(Failure) in try password.item() }?.outcome == .usage)
    for line in [
      "add --access-control eachUse", "add --access-control applicationPassword,eachUse",
      "get --account a --each-use", "update --account a --each-use", "list --each-use",
    ] {
      #expect(isRefused(line), "\(line)")
    }
  }

  @Test func changesHaveOptionsOfTheirOwn() throws {
    let line = try arguments(
      "update --account a --set-account b --set-label l --set-access-group g"
        + " --set-accessible always"
    )
    #expect(try line.query(isAll: false)["acct"] == .text("a"))
    let changes = try line.changes()
    #expect(changes["acct"] == .text("b"))
    #expect(changes["labl"] == .text("l"))
    #expect(changes["agrp"] == .text("g"))
    #expect(changes["pdmn"] == .text("dk"))
    #expect(changes["class"] == nil)
    #expect(try arguments("update --account a").changes().entries.isEmpty)
  }

  @Test func anItemBecomesOneForOtherDevicesAndBack() throws {
    for (word, flag) in [("yes", true), ("no", false)] {
      let line = try arguments("update --account a --set-synchronizable \(word)")
      #expect(try line.changes()["sync"] == .boolean(flag))
      #expect(try line.query(isAll: false)["sync"] == .text("syna"))
    }
    #expect(isRefused("update --account a --set-synchronizable maybe"))
    for stays in [
      "--set-accessible whenUnlockedThisDeviceOnly", "--set-access-control userPresence",
    ] {
      let line = try arguments("update --account a --set-synchronizable yes \(stays)")
      let refused = failure { () throws(Failure) in try line.changes() }
      #expect(refused?.outcome == .usage)
      #expect(refused?.message.hasSuffix("leave it or '--set-synchronizable' out.") == true)
      let back = try arguments("update --account a --set-synchronizable no \(stays)")
      #expect(try back.changes()["sync"] == .boolean(false))
    }
  }

  @Test func referenceIsTheWholeQuery() throws {
    let line = try arguments("get --reference Z2VucAAAAAAAAEAAgAAAAAAAAAE=")
    let query = try line.query(isAll: false)
    #expect(query.entries.count == 1)
    guard case .data(let bytes)? = query["v_PersistentRef"] else {
      Issue.record("no reference")
      return
    }
    #expect(try PersistentReference(bytes: bytes).itemClass == .genericPassword)
  }

  @Test(arguments: [
    "get", "delete --class inet", "update --synchronizable=x", "get --reference Zm9v",
    "get --reference Z2VucAAAAAAAAEAAgAAAAAAAAAE= --account a",
    "get --reference Z2VucAAAAAAAAEAAgAAAAAAAAAE= --class inet",
    "get --server h", "get --class inet --service s", "delete --class key --account a",
  ]) func linesThatMeanNoItemAreUsageErrors(_ text: String) throws {
    guard let line = try? arguments(text) else { return }
    let refused = failure { () throws(Failure) in try line.query(isAll: false) }
    #expect(refused?.outcome == .usage, "\(text)")
    #expect(refused?.message.contains("\n") == false)
  }

  @Test func optionOfAnotherClassIsNamedWithItsOwn() throws {
    let line = try arguments("get --server h")
    let refused = failure { () throws(Failure) in try line.query(isAll: false) }
    #expect(
      refused?.message
        == "'--server' is an option of --class internet-password, not of generic-password."
    )
  }

  @Test(arguments: [
    "add --class genq", "add --accessible sometimes", "add --accessible ak",
    "add --access-control biometry", "add --access-control=", "add --access-control or,and",
    "add --access-control biometryAny,biometryCurrentSet", "add --access-control or,or",
    "add --port 65536", "add --port -1", "add --protocol carrier-pigeon", "list --limit 0",
    "add --non-interactive --script match", "update --account a --stdin --set-secret",
    "add mail me hunter2", "add --secret hunter2", "get --stdin", "list --all", "add --set-label x",
    "get --timeout 0", "keychain", "get --reason=", "delete --set-account x",
  ]) func linesThatSayNothingAreUsageErrors(_ line: String) { #expect(isRefused(line)) }

  @Test func oneLineIsTakenWithoutItsEnd() {
    for (input, kept) in [
      ("a\n", "a"), ("a\r\n", "a"), ("a", "a"), ("\n", ""), ("a\nb\n", "a\nb\n"), ("\na", "\na"),
      ("a\n\n", "a\n\n"), ("a\r", "a\r"),
    ] {
      var secret = Secret(copying: input)
      ItemSecretInput.dropOnlyLineEnd(&secret)
      let isKept = secret.isEqual(to: Secret(copying: kept))
      #expect(isKept, "\(input.utf8.map { $0 })")
    }
  }
}
