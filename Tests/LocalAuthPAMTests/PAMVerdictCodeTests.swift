import LocalAuthPAM
import LocalAuthWire
import Testing

@Suite struct PAMVerdictCodeTests {
  /// Every return code of Linux-PAM, by its number in `_pam_types.h`.
  static let verdicts: [(code: Int32, verdict: PAMVerdict)] = [
    (0, .success), (1, .authInfoUnavailable), (2, .authInfoUnavailable), (3, .authInfoUnavailable),
    (4, .authInfoUnavailable), (5, .authInfoUnavailable), (6, .permissionDenied),
    (7, .wrongCredential), (8, .authInfoUnavailable), (9, .authInfoUnavailable),
    (10, .userUnknown), (11, .maxTries), (12, .passwordChangeRequired), (13, .accountExpired),
    (14, .other(code: 14)), (15, .other(code: 15)), (16, .credentialExpired),
    (17, .other(code: 17)), (18, .other(code: 18)), (19, .other(code: 19)), (20, .other(code: 20)),
    (21, .other(code: 21)), (22, .other(code: 22)), (23, .other(code: 23)), (24, .other(code: 24)),
    (25, .other(code: 25)), (26, .authInfoUnavailable), (27, .credentialExpired),
    (28, .authInfoUnavailable), (29, .other(code: 29)), (30, .other(code: 30)),
    (31, .other(code: 31)),
  ]

  @Test(arguments: verdicts) func namesEveryCode(code: Int32, verdict: PAMVerdict) {
    #expect(PAMVerdict(code: code) == verdict)
  }

  @Test func noOtherCodeIsASuccess() {
    for code in Int32(-40)...400 { #expect((PAMVerdict(code: code) == .success) == (code == 0)) }
  }

  @Test func unknownCodesKeepTheirNumber() {
    for code in [Int32.min, -1, 25, 32, 77, 1000, .max] {
      #expect(PAMVerdict(code: code) == .other(code: code))
    }
  }
}
