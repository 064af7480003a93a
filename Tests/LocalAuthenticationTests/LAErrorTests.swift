import LocalAuthentication
import Testing

/// Every way in which code asks an error what it is.
@Suite struct LAErrorTests {
  private let handedOut: any Error = NSError(domain: LAErrorDomain, code: -2)
  private let thrown: any Error = LAError(.userCancel)

  @Test func foundationsErrorCastsToLAError() throws {
    let error = NSError(domain: LAErrorDomain, code: -8)
    #expect((error as? LAError)?.code == .biometryLockout)
    #expect((handedOut as? LAError)?.code == .userCancel)
    #expect((thrown as? LAError)?.code == .userCancel)
    #expect((handedOut as? LAError)?.errorCode == -2)
  }

  @Test func errorOfAnotherDomainIsNone() {
    let error = NSError(domain: NSPOSIXErrorDomain, code: -2)
    #expect(error as? LAError == nil)
    #expect((error as any Error) as? LAError == nil)
    #expect(!(LAError.userCancel ~= error))
  }

  @Test func catchByCodeMatches() {
    for error in [handedOut, thrown] {
      do {
        throw error
      } catch LAError.authenticationFailed {
        Issue.record("another code")
      } catch LAError.userCancel {
        continue
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test func catchAsLAErrorMatches() {
    for error in [handedOut, thrown] {
      do {
        throw error
      } catch let error as LAError {
        #expect(error.code == .userCancel)
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test func catchAsNSErrorMatches() {
    for error in [handedOut, thrown] {
      do {
        throw error
      } catch let error as NSError {
        #expect(error.code == -2)
        #expect(error.domain == LAErrorDomain)
      }
    }
  }

  @Test func errorsAreFoundationsToo() {
    for error in [handedOut, thrown] {
      let object = error as NSError
      #expect(object.domain == "com.apple.LocalAuthentication")
      #expect(object.code == LAError.userCancel.rawValue)
    }
    #expect(LAError.errorDomain == LAErrorDomain)
  }

  @Test func switchOverTheRawValueFindsTheCase() {
    let name =
      switch (handedOut as NSError).code {
      case LAError.userCancel.rawValue: "cancel"
      case LAError.userFallback.rawValue: "fallback"
      default: "other"
      }
    #expect(name == "cancel")
    let number =
      switch Int32((handedOut as NSError).code) {
      case kLAErrorUserCancel: "cancel"
      default: "other"
      }
    #expect(number == "cancel")
  }

  @Test func switchOverTheCodeKnowsOlderNames() {
    let name =
      switch LAError(.biometryLockout).code {
      case .touchIDLockout: "locked"
      case .touchIDNotAvailable, .touchIDNotEnrolled, .watchNotAvailable: "none"
      default: "other"
      }
    #expect(name == "locked")
    #expect(LAError.touchIDNotAvailable == .biometryNotAvailable)
    #expect(LAError.touchIDNotEnrolled == .biometryNotEnrolled)
    #expect(LAError.watchNotAvailable == .companionNotAvailable)
  }

  @Test(arguments: LAError.Code.allCases)
  func everyCodeDescribesItselfAndSurvivesTheCast(_ code: LAError.Code) {
    let error = LAError(code)
    #expect(error.code == code)
    #expect(error.errorCode == code.rawValue)
    #expect(error.localizedDescription.hasSuffix("."))
    #expect((error as any Error).localizedDescription == error.localizedDescription)
    #expect((error as NSError).localizedDescription == error.localizedDescription)
    #expect((error as NSError) as? LAError == error)
  }

  @Test func errorsAreEqualAndHashedByWhatTheySay() {
    #expect(LAError(.userCancel) == LAError(.userCancel))
    #expect(LAError(.userCancel) != LAError(.userFallback))
    #expect(Set([LAError(.appCancel), LAError(.appCancel)]).count == 1)
    #expect(LAError(.appCancel, userInfo: ["why": "so"]).userInfo["why"] as? String == "so")
    let own = LAError(.appCancel, userInfo: [NSLocalizedDescriptionKey: "Mine"])
    #expect(own.localizedDescription == "Mine")
  }

  @Test func numberWithoutANameFailsTheEvaluationAndKeepsItself() throws {
    let error = NSError(domain: LAErrorDomain, code: -1000) as any Error
    let cast = try #require(error as? LAError)
    #expect(cast.code == .authenticationFailed)
    #expect(cast.errorCode == -1000)
    #expect((cast as NSError).code == -1000)
    #expect(!(LAError.authenticationFailed ~= error))
  }
}
