import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct EnrolmentSampleTests {
  @Test func hasTheNumbersOfCTAP() {
    #expect(EnrolmentSample.allCases.map(\.rawValue) == Array(0x00...0x0e))
  }

  @Test(arguments: EnrolmentSample.allCases) func readsItsOwnWord(_ status: EnrolmentSample) {
    #expect(EnrolmentSample(word: status.word) == status)
  }

  @Test(arguments: Acquisition.named.map(\.code) + [.vendor(1000)])
  func takesEveryFlawAsAnotherTry(_ flaw: Acquisition) {
    let status = EnrolmentSample(word: flaw.word)
    #expect(status == EnrolmentSample(flaw))
    guard case .again = status?.consequence else {
      Issue.record("\(flaw) is \(String(describing: status))")
      return
    }
  }

  @Test func knowsNoOtherWord() {
    #expect(EnrolmentSample(word: "fine") == nil)
    #expect(EnrolmentSample(word: "") == nil)
  }
}
