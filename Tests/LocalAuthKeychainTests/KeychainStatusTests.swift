import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct KeychainStatusTests {
  @Test func theNumbersAreApples() {
    let numbers: [(KeychainStatus, Int32)] = [
      (.success, 0), (.unimplemented, -4), (.diskFull, -34), (.io, -36),
      (.alreadyOpenForWriting, -49),
      (.param, -50), (.writePermission, -61), (.allocate, -108), (.userCanceled, -128),
      (.badRequest, -909), (.internalComponent, -2070), (.notAvailable, -25291),
      (.readOnly, -25292), (.authFailed, -25293), (.noSuchKeychain, -25294),
      (.invalidKeychain, -25295), (.duplicateItem, -25299), (.itemNotFound, -25300),
      (.bufferTooSmall, -25301), (.dataTooLarge, -25302), (.noSuchAttribute, -25303),
      (.invalidItemReference, -25304), (.invalidSearchReference, -25305), (.noSuchClass, -25306),
      (.noDefaultKeychain, -25307), (.interactionNotAllowed, -25308), (.readOnlyAttribute, -25309),
      (.interactionRequired, -25315), (.dataNotAvailable, -25316), (.internalFailure, -26276),
      (.decode, -26275), (.missingEntitlement, -34018), (.restrictedAPI, -34020),
      (.upgradePending, -34019),
    ]
    for (status, number) in numbers { #expect(status.rawValue == number) }
    #expect(numbers.count == KeychainStatus.allCases.count)
  }

  @Test func authNeededNeverSurfaces() { #expect(KeychainStatus(rawValue: -25330) == nil) }

  @Test func everyStatusHasItsOwnSymbolAndASentence() {
    let symbols = Set(KeychainStatus.allCases.map(\.symbol))
    #expect(symbols.count == KeychainStatus.allCases.count)
    for status in KeychainStatus.allCases {
      #expect(status.symbol.hasPrefix("errSec"))
      #expect(status.message.hasSuffix("."))
    }
  }

  @Test func onlyCancelParameterAndNotInteractiveAreKeptApartFromAuthFailed() {
    #expect(KeychainStatus(OutcomeCode.userCancel) == .userCanceled)
    #expect(KeychainStatus(OutcomeCode.notInteractive) == .interactionNotAllowed)
    #expect(KeychainStatus(OutcomeCode.usage) == .param)
    let others: [OutcomeCode] = [
      .authenticationFailed, .userFallback, .systemCancel, .appCancel, .biometryLockout,
      .passcodeNotSet, .biometryNotEnrolled, .invalidContext, .biometryNotAvailable, .timeout,
    ]
    for outcome in others { #expect(KeychainStatus(outcome) == .authFailed) }
  }

  @Test func noOutcomeButSuccessIsSuccess() {
    for outcome in OutcomeCode.allCases {
      #expect((KeychainStatus(outcome) == .success) == (outcome == .success))
    }
  }

  @Test func aFailingStoreHasTheStatusOfItsCause() {
    #expect(KeychainStatus(StorageError.unwritable("")) == .readOnly)
    #expect(KeychainStatus(StorageError.failed("")) == .io)
    #expect(KeychainStatus(StorageError.duplicate) == .duplicateItem)
    #expect(KeychainStatus(StorageError.missing) == .itemNotFound)
    #expect(KeychainStatus(StorageError.full) == .diskFull)
    #expect(KeychainStatus(StorageError.overQuota("3 items")) == .diskFull)
    for other in [StorageError.corrupt(""), .owned, .fromTheFuture(format: 9)] {
      #expect(KeychainStatus(other) == .notAvailable)
    }
  }
}
