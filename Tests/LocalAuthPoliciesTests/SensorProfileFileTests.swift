import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@Suite struct SensorProfileFileTests {
  private static let rates = #""source": "s", "calibration": {"dPrime": 6.17, "falseMatch": 2e-5}"#

  private func read(_ text: MarkedText) -> (profile: SensorProfile?, message: String?) {
    do throws(PolicyError) {
      return (try SensorProfileFile.parse(text.bytes, file: "F.json"), nil)
    } catch { return (nil, error.description) }
  }

  private func model(_ more: String) -> SensorModel? {
    read(.policy(Self.rates + ", " + more)).profile?.model
  }

  @Test func readsWhatIsStatedAndKeepsTheRest() throws {
    let found = try #require(
      read(
        .policy(
          #"""
          "$schema": "x", "source": "measured",
          "calibration": {"falseMatch": 0.001, "falseNonMatch": 0.02},
          "population": {"kind": "goats", "share": 0.2, "goatMiss": 0.3, "othersMiss": 0},
          "failureToAcquire": 0, "failureToEnroll": 1, "bpcer": 0.04,
          "latency": {"median": "300ms", "percentile95": "2s"},
          "fingerState": {"impairedShare": 0.3, "impairedFor": "5m", "impairedMiss": 0.9},
          "wolfShare": 0.25, "lambShare": 0.75, "iapar": 0.11, "maximumPrints": 3
          """#
        )
      ).profile
    )
    var model = SensorModel(
      scores: ScoreModel(try OperatingPoint(falseMatch: 0.001, falseNonMatch: 0.02)),
      population: .mixture(try GoatMixture(goats: 0.2, goatMiss: 0.3, sheepMiss: 0))
    )
    model.acquisition = try AcquisitionRates(
      failureToAcquire: 0,
      failureToEnrol: 1,
      bpcer: 0.04
    )
    model.latency = try LognormalLatency(median: .milliseconds(300), percentile95: .seconds(2))
    model.fingerState = try FingerStateProcess(impairedShare: 0.3, impairedFor: .seconds(300))
    model.scores.effects = try ScoreEffects(
      impairment: StandardNormal.quantile(0.01) - StandardNormal.quantile(0.9)
    )
    model.impostors = try Impostors(wolfShare: 0.25, lambShare: 0.75)
    #expect(found.model == model)
    #expect(found.name == "p" && found.source == "measured" && found.maximumPrints == 3)
    #expect(found.fakes?.iapar == 0.11 && found.lockout == nil)
  }

  @Test func twoNumbersMakeTheThird() throws {
    func scores(_ calibration: String) -> ScoreModel? {
      read(.policy(#""source": "s", "calibration": {\#(calibration)}"#)).profile?.model.scores
    }
    #expect(scores(#""dPrime": 6.17, "falseMatch": 2e-5"#) == .standard)
    let byMiss = try ScoreModel(separation: 6, falseNonMatch: 0.02)
    #expect(scores(#""dPrime": 6, "falseNonMatch": 0.02"#) == byMiss)
    let point = try OperatingPoint(falseMatch: 1e-4, falseNonMatch: 0.05)
    #expect(scores(#""falseMatch": 0.0001, "falseNonMatch": 0.05"#) == ScoreModel(point))
  }

  @Test func aWholeNumberIsANumber() {
    #expect(model(#""bpcer": 0, "failureToEnroll": 1"#)?.acquisition.failureToEnrol == 1)
  }

  @Test func theStandardPeopleCanBeWrittenOut() throws {
    #expect(model(#""population": {"kind": "probit", "correlation": 0.5}"#) == .standard)
    let beta = BetaRates.self
    let mean = ScoreModel.standard.falseNonMatch
    #expect(
      model(#""population": {"kind": "beta", "correlation": 0.2}"#)?.population
        == .beta(try beta.init(mean: mean, correlation: 0.2))
    )
    #expect(
      model(#""population": {"kind": "beta", "mean": 0.1, "correlation": 0.2}"#)?.population
        == .beta(try beta.init(mean: 0.1, correlation: 0.2))
    )
  }

  @Test func aDescriptorSaysItAll() throws {
    let found = try #require(
      read(
        .policy(
          #"""
          "source": "s", "descriptor": {"selfAttestedFRR": 0.03, "selfAttestedFAR": 0.0001,
          "iAPARThreshold": 0.15, "maxTemplates": 3, "maxRetries": 5, "blockSlowdown": 30},
          "bpcer": 0.02
          """#
        )
      ).profile
    )
    #expect(found.model.scores == ScoreModel(ComplianceFloor.fido.point))
    #expect(found.model.acquisition.takenForFake == 0.02)
    #expect(found.fakes?.iapar == 0.15 && found.maximumPrints == 3 && found.source == "s")
    #expect(found.lockout?.refusal(after: 5) == .wait(.seconds(30)))
  }

  private static let openRule = "a number above 0 and below 1"
  private static let shareRule = "a number of at least 0 and at most 1"
  private static let countRule = "a whole number from 1 to 1000"

  private static let outOfRange: [(String, String, String, String)] = [
    ("bpcer", "1.5", "1.5", shareRule), ("failureToEnroll", "-0.01", "-0.01", shareRule),
    ("iapar", "7", "7.0", shareRule), ("wolfShare", "1.01", "1.01", shareRule),
    ("failureToAcquire", "1", "1.0", "a number of at least 0 and below 1"),
    ("maximumPrints", "0", "0", countRule), ("maximumPrints", "2.5", "2.5", countRule),
  ]

  @Test(arguments: outOfRange)
  func refusesWhatIsOutOfRange(_ key: String, _ value: String, _ found: String, _ rule: String) {
    let text = MarkedText.policy(Self.rates + #", "\#(key)": @\#(value)"#)
    #expect(
      read(text).message == text.error("\"\(key)\" cannot be \"\(found)\"; allowed: \(rule)")
    )
  }

  @Test(arguments: ["null", "true", #""1 %""#, "[0.1]", "{}"])
  func refusesWhatIsNoNumber(_ value: String) {
    let text = MarkedText.policy(Self.rates + #", "bpcer": @\#(value)"#)
    #expect(read(text).message == text.error("\"bpcer\" must be \(Self.shareRule)"))
  }

  @Test func refusesAKeyThatNothingHas() {
    let text = MarkedText.policy(Self.rates + #", @"goats": 0.1"#)
    #expect(read(text).message?.hasPrefix(text.error("unknown key \"goats\"; allowed: ")) == true)
  }

  private static let ratesThatAreNone: [(String, String)] = [
    (
      #""dPrime": @0, "falseMatch": 0.1"#,
      "\"dPrime\" cannot be \"0.0\"; allowed: a number above 0 and at most 100"
    ),
    (#""dPrime": @"6""#, "\"dPrime\" must be a number above 0 and at most 100"),
    (
      #""dPrime": 6, "falseMatch": @1.2"#,
      "\"falseMatch\" cannot be \"1.2\"; allowed: \(openRule)"
    ),
    (
      #""falseMatch": 0.1, "falseNonMatch": @0"#,
      "\"falseNonMatch\" cannot be \"0.0\"; allowed: \(openRule)"
    ),
  ]

  @Test(arguments: ratesThatAreNone)
  func refusesRatesThatAreNone(_ calibration: String, _ message: String) {
    let text = MarkedText.policy(#""source": "s", "calibration": {\#(calibration)}"#)
    #expect(read(text).message == text.error(message))
  }

  @Test func refusesASensorThatTellsNobodyApart() {
    let text = MarkedText.policy(
      #""source": "s", "calibration": @{"falseMatch": 0.5, "falseNonMatch": 0.5}"#
    )
    #expect(
      read(text).message
        == text.error(
          "makes no sensor: d' is 0.0; it must be above 0, so FMR and FNMR must add up to less than 1"
        )
    )
  }

  @Test(arguments: [
    "", #""dPrime": 6"#, #""falseMatch": 0.1"#,
    #""dPrime": 6, "falseMatch": 0.1, "falseNonMatch": 0.1"#,
  ])
  func refusesMoreOrLessThanTwoNumbers(_ calibration: String) {
    let text = MarkedText.policy(#""source": "s", "calibration": @{\#(calibration)}"#)
    #expect(
      read(text).message
        == text.error(
          "contradiction: two rates make the third; "
            + "allowed: two of dPrime, falseMatch and falseNonMatch"
        )
    )
  }

  private static let peopleWhoCannotBe: [(String, String)] = [
    (
      #""population": {"kind": @"sheep"}"#,
      "\"kind\" cannot be \"sheep\"; allowed: probit, goats and beta"
    ),
    (#""population": @{}"#, "the key \"kind\" is missing; it is required here"),
    (#""population": @"goats""#, "\"population\" must be an object"),
    (
      #""population": @{"kind": "goats", "share": 0.1, "goatMiss": 0.2}"#,
      "the key \"othersMiss\" is missing; it is required here"
    ),
    (
      #""population": {"kind": "probit", @"share": 0.1}"#,
      "unknown key \"share\"; allowed: kind and correlation"
    ),
    (
      #""population": {"kind": "beta", "mean": 0.001, "correlation": @0.5}"#,
      "contradiction: most of these people would always match or always miss; "
        + "allowed: a lower correlation, or a mean nearer to 0.5"
    ),
    (
      #""population": {"kind": "probit", "correlation": @1}"#,
      "\"correlation\" cannot be \"1.0\"; allowed: a number of at least 0 and at most 0.999"
    ),
    (
      #""latency": @{"median": "2s", "percentile95": "1s"}"#,
      "makes no sensor: the latency's 95th percentile is 1.0; it must be from the median to 3600 s"
    ),
    (#""latency": @{"median": "2s"}"#, "the key \"percentile95\" is missing; it is required here"),
    (
      #""fingerState": {"impairedShare": @1}"#,
      "\"impairedShare\" cannot be \"1.0\"; allowed: a number of at least 0 and below 1"
    ),
    (
      #""fingerState": {"impairedFor": @"25h"}"#,
      "\"impairedFor\" cannot be \"25h\"; allowed: a duration such as 30s, 5m or 48h from 1s to 24h"
    ),
    (
      #""fingerState": {@"worsening": 0.02}"#,
      "unknown key \"worsening\"; allowed: impairedShare, impairedFor and impairedMiss"
    ),
    (
      #""lambShare": 0.6, "wolfShare": @0.6"#,
      "makes no sensor: the wolves' and lambs' share is 1.2; it must be between 0 and 1"
    ),
  ]

  @Test(arguments: peopleWhoCannotBe)
  func refusesPeopleWhoCannotBe(_ member: String, _ message: String) {
    let text = MarkedText.policy(Self.rates + ", " + member)
    #expect(read(text).message == text.error(message))
  }

  @Test func refusesTwoCalibrations() {
    let text = MarkedText.policy(
      #""source": "s", "calibration": @{"dPrime": 6, "falseMatch": 0.1}, "descriptor": {}"#
    )
    #expect(
      read(text).message
        == text.error(
          "contradiction: \"calibration\" and \"descriptor\" both say the rates; remove one"
        )
    )
  }

  @Test(arguments: [("iapar", "0.1", "iAPARThreshold"), ("maximumPrints", "3", "maxTemplates")])
  func aDescriptorIsNotContradicted(_ key: String, _ value: String, _ other: String) {
    let text = MarkedText.policy(
      #""source": "s", "descriptor": {"selfAttestedFRR": 0.1, "selfAttestedFAR": 0.1}, "#
        + "\"\(key)\": @\(value)"
    )
    #expect(
      read(text).message
        == text.error("contradiction: a descriptor says that itself, as \"\(other)\"; remove one")
    )
  }

  @Test(arguments: ["name", "summary", "source", "calibration"])
  func whatEveryFileMustSay(_ key: String) {
    let members = [
      "name": #""name": "p""#, "summary": #""summary": "s""#, "source": #""source": "s""#,
      "calibration": #""calibration": {"dPrime": 6, "falseMatch": 0.1}"#,
    ]
    let left = members.filter { $0.key != key }.values.sorted().joined(separator: ", ")
    #expect(
      read(MarkedText("{\(left)}")).message
        == "F.json:1:1: the key \"\(key)\" is missing; it is required here"
    )
  }

  @Test func refusesWhatIsNoFileOfThese() {
    #expect(read(MarkedText("[]")).message == "F.json:1:1: \"sensor profile\" must be an object")
    #expect(read(MarkedText("")).message?.hasPrefix("F.json:1:1: ") == true)
    let long = MarkedText(String(repeating: " ", count: 65_537))
    #expect(
      read(long).message == "F.json: the file is too large; at most 65536 bytes are read"
    )
  }
}
