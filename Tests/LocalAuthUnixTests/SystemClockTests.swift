import Glibc
import LocalAuthCore
import Testing

@testable import LocalAuthUnix

@Suite struct SystemClockTests {
  @Test func bootTimeNeverGoesBack() {
    var last = SystemClock.bootNow()
    for _ in 0..<10_000 {
      let now = SystemClock.bootNow()
      #expect(now >= last)
      last = now
    }
  }

  @Test func wallTimeIsTheSystemsOwn() throws {
    let clock = try SystemClock()
    let before = Int64(time(nil)) * 1000
    let now = clock.now().wall.milliseconds
    let after = (Int64(time(nil)) + 1) * 1000
    // time(2) may lag a tick behind the precise clock.
    #expect((before - 100...after + 100).contains(now))
  }

  @Test func everyMomentNamesTheSameBoot() throws {
    let first = try SystemClock().now().bootID
    #expect(try SystemClock().now().bootID == first)
    #expect(first.high != 0 && first.low != 0)
    #expect(first.generation == 0)
  }

  @Test func readsABootIDAsHexadecimal() {
    let text = Array("01234567-89ab-cdef-FEDC-ba9876543210\n".utf8)
    #expect(
      SystemClock.parse(text)
        == BootIdentifier(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
    )
  }

  @Test(arguments: [
    "", "-", "01234567-89ab-cdef-fedc-ba987654321", "01234567-89ab-cdef-fedc-ba98765432100",
    "g1234567-89ab-cdef-fedc-ba9876543210", "01234567 89ab cdef fedc ba9876543210",
  ])
  func refusesWhatIsNoBootID(text: String) {
    #expect(SystemClock.parse(Array(text.utf8)) == nil)
  }

  @Test func aMissingBootIDIsAnError() {
    #expect(throws: SystemError("open", code: ENOENT, subject: "/nonexistent")) {
      try SystemClock(bootIDFile: "/nonexistent")
    }
    #expect(throws: SystemError("read", code: EINVAL, subject: "/dev/null")) {
      try SystemClock(bootIDFile: "/dev/null")
    }
  }
}
