import LocalAuthCore
import LocalAuthReader
import Testing

@Suite struct ScanWordTests {
  @Test(arguments: [
    ("verify-match", ScanWord.match), ("verify-no-match", .noMatch),
    ("verify-retry-scan", .retry(.general)), ("verify-swipe-too-short", .retry(.tooShort)),
    ("verify-finger-not-centered", .retry(.notCentered)),
    ("verify-remove-and-retry", .retry(.removeFinger)), ("verify-too-fast", .retry(.tooFast)),
  ])
  func aWordOfAVerificationIsRead(_ word: String, _ read: ScanWord) {
    #expect(ScanWord(verify: word) == read)
  }

  @Test(arguments: [
    ("enroll-stage-passed", ScanWord.stagePassed), ("enroll-completed", .completed),
    ("enroll-retry-scan", .retry(.general)), ("enroll-too-fast", .retry(.tooFast)),
  ])
  func aWordOfAnEnrolmentIsRead(_ word: String, _ read: ScanWord) {
    #expect(ScanWord(enroll: word) == read)
  }

  @Test(arguments: [
    "", "match", "verify-", "verify-match ", "enroll-completed", "verify-unknown-error",
    "verify-disconnected", "verify-stage-passed", "VERIFY-MATCH",
  ])
  func anyOtherWordOfAVerificationIsAFailure(_ word: String) {
    guard case .failed = ScanWord(verify: word) else {
      Issue.record("\(word) proves something")
      return
    }
  }

  @Test(arguments: ["verify-match", "enroll-match", "enroll-failed", "enroll-duplicate", ""])
  func anyOtherWordOfAnEnrolmentIsAFailure(_ word: String) {
    guard case .failed = ScanWord(enroll: word) else {
      Issue.record("\(word) enrols something")
      return
    }
  }
}
