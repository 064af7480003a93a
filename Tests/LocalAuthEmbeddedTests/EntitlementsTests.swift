import Glibc
import LocalAuth
import LocalAuthHost
import LocalAuthTestSupport
import Testing

@testable import LocalAuthEmbedded

/// The rules beside a program say who it is to the keychain inside it.
@Suite
struct EntitlementsTests {
  private func keychain(_ rules: String?) throws -> Keychain {
    let directory = ScratchDirectory()
    let path = "\(directory.path)/entitlements.json"
    if let rules { directory.write(rules, to: "entitlements.json") }
    var options = HostOptions(owner: geteuid())
    options.systemPolicies = nil
    options.userEntitlements = path
    let engine = try EngineThread(directory: nil, options)
    let link = DeviceLink("sim", of: engine)
    try link.create(DeviceSetup(), passcode: nil)
    return Keychain(device: Device("sim", servedBy: engine))
  }

  @Test func theFileNamesTheGroupsAndTheFirstIsForNewItems() async throws {
    let keychain = try keychain(
      #"{"rules":[{"applicationIdentifier":"T.app","groups":["T.own","T.shared"]}]}"#
    )
    #expect(try await keychain.accessGroups() == ["T.own", "T.shared", "T.app"])
    var item = NewKeychainItem.genericPassword(service: "mail", account: "ann")
    #expect(try await keychain.add(item).group == "T.own")
    item.group = "T.shared"
    #expect(try await keychain.add(item).group == "T.shared")
    item.group = "T.theirs"
    await #expect { try await keychain.add(item) } throws: {
      ($0 as? KeychainFailure)?.status == .missingEntitlement
    }
  }

  @Test func withoutTheFileEveryProgramIsLocal() async throws {
    #expect(try await keychain(nil).accessGroups() == ["local"])
  }

  @Test(arguments: ["", "{}", #"{"rules":[{"groups":["x"]}]}"#, "no JSON at all"])
  func aFileWithAMistakeIsToldWhenTheEngineStarts(_ rules: String) throws {
    #expect { try keychain(rules) } throws: {
      guard case .engine(let message)? = $0 as? DeviceError else { return false }
      return message.contains("entitlements.json")
    }
  }
}
