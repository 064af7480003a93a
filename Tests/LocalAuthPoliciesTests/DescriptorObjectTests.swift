import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

/// What stands in a file that was not written for LocalAuth.
@Suite struct DescriptorObjectTests {
  private static let reader =
    #"{"selfAttestedFRR": 0.03, "selfAttestedFAR": 0.0001, "iAPARThreshold": 0.15, "maxRetries": 5}"#

  private func read(_ text: MarkedText) -> (profile: SensorProfile?, message: String?) {
    do throws(PolicyError) {
      return (try SensorProfileFile.parse(anyOf: text.bytes, file: "F.json"), nil)
    } catch { return (nil, error.description) }
  }

  @Test func aDescriptorAloneIsASensor() throws {
    let found = try #require(read(MarkedText(Self.reader)).profile)
    #expect(found.name == "F.json" && found.source.hasPrefix("FIDO"))
    #expect(found.model.scores == ScoreModel(ComplianceFloor.fido.point))
    #expect(found.fakes?.iapar == 0.15 && found.lockout?.refusal(after: 5) == .locked)
    #expect(found.maximumPrints == nil)
  }

  @Test func aProfileIsOneHereToo() throws {
    let text = MarkedText.policy(#""source": "s", "descriptor": \#(Self.reader)"#)
    let found = try #require(read(text).profile)
    #expect(found.name == "p" && found.source == "s")
    let catalog = PolicyCatalog()
    for name in catalog.sensorProfileNames {
      let source = MarkedText(try #require(catalog.source(of: name, kind: .sensor)))
      #expect(read(source).profile == catalog.sensorProfile(named: name).value)
    }
  }

  /// Of a metadata statement nothing else is read.
  @Test func aStatementIsItsOneDescriptor() {
    let method = #"{"userVerificationMethod": "fingerprint_internal", "baDesc": \#(Self.reader)}"#
    let text = #"""
      {"description": "A key", "icon": "data:,", "schema": 3, "userVerificationDetails": [
        [\#(method)], [{"userVerificationMethod": "passcode_internal", "caDesc": {"base": 10}}],
        [\#(method), {"userVerificationMethod": "presence_internal"}]]}
      """#
    #expect(read(MarkedText(text)).profile == read(MarkedText(Self.reader)).profile)
  }

  private static let mistakes: [(String, String)] = [
    (
      #"{"userVerificationDetails": @[[{"userVerificationMethod": "none"}]]}"#,
      "makes no sensor: the statement describes no biometric sensor"
    ),
    (
      #"{"userVerificationDetails": @7}"#,
      "makes no sensor: the statement describes no biometric sensor"
    ),
    (
      #"{"userVerificationDetails": [[{"baDesc": {"maxTemplates": 1}}, {"baDesc": @{"maxTemplates": 2}}]]}"#,
      "makes no sensor: the statement describes several; "
        + "allowed: one descriptor in a file of its own"
    ),
    (#"{"userVerificationDetails": [[{"baDesc": @7}]]}"#, "\"descriptor\" must be an object"),
    (
      #"@{"selfAttestedFAR": 0.0001}"#,
      "makes no sensor: the descriptor does not attest selfAttestedFRR, "
        + "from which the model is calibrated"
    ),
    (
      #"@{"selfAttestedFAR": 0, "selfAttestedFRR": 0.03}"#,
      "makes no sensor: the descriptor does not attest selfAttestedFAR, "
        + "from which the model is calibrated"
    ),
    (
      #"{"selfAttestedFAR": @1.5}"#,
      "\"selfAttestedFAR\" cannot be \"1.5\"; allowed: a number of at least 0 and below 1"
    ),
    (
      #"{"selfAttestedFAR": 0.1, "maxRetries": @65536}"#,
      "\"maxRetries\" cannot be \"65536\"; allowed: a whole number from 0 to 65535"
    ),
    (
      #"{"selfAttestedFAR": 0.1, @"FAR": 0.1}"#,
      "unknown key \"FAR\"; allowed: selfAttestedFRR, selfAttestedFAR, iAPARThreshold, "
        + "maxTemplates, maxRetries and blockSlowdown"
    ),
    (#"@{}"#, "the key \"name\" is missing; it is required here"),
    (#"@[]"#, "\"sensor profile\" must be an object"),
  ]

  @Test(arguments: mistakes)
  func saysWhatIsWrong(_ file: String, _ message: String) {
    let text = MarkedText(file)
    #expect(read(text).message == text.error(message))
  }

  @Test func refusesASensorThatTellsNobodyApart() {
    let text = MarkedText(#"@{"selfAttestedFAR": 0.7, "selfAttestedFRR": 0.6}"#)
    #expect(read(text).message?.hasPrefix(text.error("makes no sensor: d' is -")) == true)
  }
}
