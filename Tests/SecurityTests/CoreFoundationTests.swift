import Foundation
import Security
import Testing

@Suite struct CoreFoundationTests {
  private final class Plain {}

  @Test func everyTypeHasANumberOfItsOwn() {
    let numbers = [
      CFStringGetTypeID(), CFDataGetTypeID(), CFDictionaryGetTypeID(), CFArrayGetTypeID(),
      CFNumberGetTypeID(), CFBooleanGetTypeID(), CFDateGetTypeID(), CFErrorGetTypeID(),
      CFNullGetTypeID(), CFSetGetTypeID(), SecAccessControlGetTypeID(),
    ]
    #expect(Set(numbers).count == numbers.count)
    #expect(!numbers.contains(0))
  }

  @Test func aValueHasTheNumberOfItsType() throws {
    #expect(CFGetTypeID("a" as NSString) == CFStringGetTypeID())
    #expect(CFGetTypeID(NSMutableString(string: "a")) == CFStringGetTypeID())
    #expect(CFGetTypeID("a" as CFString) == CFStringGetTypeID())
    #expect(CFGetTypeID(Data([1]) as CFData) == CFDataGetTypeID())
    #expect(CFGetTypeID([1] as CFArray) == CFArrayGetTypeID())
    #expect(CFGetTypeID(["a": 1] as CFDictionary) == CFDictionaryGetTypeID())
    #expect(CFGetTypeID(NSMutableDictionary()) == CFDictionaryGetTypeID())
    #expect(CFGetTypeID(Date() as CFDate) == CFDateGetTypeID())
    #expect(CFGetTypeID(NSError(domain: "a", code: 1)) == CFErrorGetTypeID())
    #expect(CFGetTypeID(Set([1, 2]) as CFSet) == CFSetGetTypeID())
    #expect(CFGetTypeID(NSMutableSet()) == CFSetGetTypeID())
    #expect(CFGetTypeID(kCFNull) == CFNullGetTypeID())
    #expect(CFGetTypeID(nil) == 0)
    let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)
    #expect(control != nil)
    #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
    #expect(CFGetTypeID(Plain()) == CFGetTypeID(Plain()))
  }

  @Test func aBooleanIsNoNumber() {
    for truth in [true, false] {
      #expect(CFGetTypeID(truth as NSNumber) == CFBooleanGetTypeID())
      #expect(CFGetTypeID(truth) == CFBooleanGetTypeID())
    }
    #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
    for number in [0, 1, 2] { #expect(CFGetTypeID(number as NSNumber) == CFNumberGetTypeID()) }
    #expect(CFGetTypeID(NSNumber(value: Int8(1))) == CFNumberGetTypeID())
    #expect(CFGetTypeID(1.5 as NSNumber) == CFNumberGetTypeID())
  }

  @Test func valuesAreEqualByWhatTheySay() {
    #expect(CFEqual("a" as NSString, "a" as CFString))
    #expect(!CFEqual("a" as NSString, "b" as NSString))
    #expect(!CFEqual("1" as NSString, 1 as NSNumber))
    #expect(CFEqual([1, 2] as CFArray, [1, 2] as CFArray))
    #expect(CFEqual(["a": 1] as CFDictionary, ["a": 1] as CFDictionary))
    #expect(CFEqual(nil, nil))
    #expect(!CFEqual(nil, kCFNull))
    let plain = Plain()
    #expect(CFEqual(plain, plain))
    #expect(!CFEqual(plain, Plain()))
  }

  @Test func equalValuesHashAlike() {
    #expect(CFHash("abc" as NSString) == CFHash("abc" as CFString))
    #expect(CFHash(Data([1, 2]) as CFData) == CFHash(Data([1, 2]) as CFData))
    #expect(CFHash(nil) == 0)
    let plain = Plain()
    #expect(CFHash(plain) == CFHash(plain))
  }

  @Test func aValueDescribesItself() {
    #expect(CFCopyDescription("abc" as NSString) == "abc")
    #expect(CFCopyDescription(nil) == nil)
  }

  @Test func anErrorGivesBackWhatItWasMadeOf() throws {
    let error = try #require(
      CFErrorCreate(
        kCFAllocatorDefault,
        kCFErrorDomainOSStatus,
        CFIndex(errSecParam),
        [
          kCFErrorLocalizedDescriptionKey: "It failed.",
          kCFErrorLocalizedFailureReasonKey: "A key is missing.",
          kCFErrorLocalizedRecoverySuggestionKey: "Name it.",
          1: "no key",
        ] as [AnyHashable: Any] as CFDictionary
      )
    )
    #expect(CFErrorGetDomain(error) == NSOSStatusErrorDomain)
    #expect(CFErrorGetCode(error) == -50)
    #expect(CFErrorCopyDescription(error) == "It failed.")
    #expect(CFErrorCopyFailureReason(error) == "A key is missing.")
    #expect(CFErrorCopyRecoverySuggestion(error) == "Name it.")
    #expect(CFErrorCopyUserInfo(error).count == 3)
  }

  @Test func anErrorCanSayNothing() throws {
    let error = try #require(CFErrorCreate(nil, nil, 7, nil))
    #expect(CFErrorGetDomain(error) == "")
    #expect(CFErrorCopyUserInfo(error).count == 0)
    #expect(CFErrorCopyFailureReason(error) == nil)
    #expect(CFErrorCopyRecoverySuggestion(error) == nil)
  }
}
