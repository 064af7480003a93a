import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct LoginRecordsTests {
  private static let login = AuditLogin(session: 7, user: 1000)
  private static let seat = "UID=1000\nSTATE=active\nREMOTE=0\nSEAT=seat0\nTTY=tty2\nAUDIT=7\n"
  private let scratch = ScratchDirectory()

  private var isAtSeat: Bool { LoginRecords(in: scratch.path).isAtSeat(Self.login) }

  /// The record with another line in the place of the one with this key; nil for none.
  private func changed(_ key: String, to line: String?) -> String {
    let kept = Self.seat.split(separator: "\n").filter { !$0.hasPrefix(key + "=") }
    return (kept.map(String.init) + [line].compactMap(\.self)).joined(separator: "\n") + "\n"
  }

  @Test func theSessionInFrontAtASeatIsAtThisMachine() {
    scratch.write("UID=1001\nREMOTE=1\nAUDIT=17\n", to: "c2")
    scratch.write(Self.seat, to: "2")
    #expect(isAtSeat)
  }

  @Test(arguments: [
    ("REMOTE", "REMOTE=1"), ("REMOTE", "REMOTE=yes"), ("REMOTE", nil), ("SEAT", "SEAT="),
    ("SEAT", nil), ("STATE", "STATE=closing"), ("STATE", "STATE=opening"),
    ("STATE", "STATE=online"), ("STATE", nil),
    ("UID", "UID=1001"), ("UID", "UID=10000"), ("UID", nil), ("AUDIT", "AUDIT=70"),
    ("AUDIT", "AUDIT=07"), ("AUDIT", nil), ("", "REMOTE=1"), ("", "AUDIT=7"), ("", "SEAT=seat1"),
  ])
  func whateverIsMissingOrSaidTwiceIsNo(_ key: String, _ line: String?) {
    scratch.write(changed(key, to: line), to: "2")
    #expect(!isAtSeat)
  }

  @Test func twoSessionsOfOneNumberAreNone() {
    scratch.write(Self.seat, to: "2")
    scratch.write("REMOTE=1\nAUDIT=7\n", to: "3")
    #expect(!isAtSeat)
  }

  @Test func withoutRecordsNobodySitsHere() {
    #expect(!isAtSeat)
    #expect(!LoginRecords(in: scratch.file("none")).isAtSeat(Self.login))
  }

  @Test func aRecordThatOthersMayHaveWrittenMakesItUnclear() {
    scratch.write(Self.seat, to: "2")
    scratch.write("AUDIT=8\n", to: "3", mode: 0o666)
    #expect(!isAtSeat)
  }

  @Test func aRecordWithoutAnEndMakesItUnclear() {
    scratch.write(Self.seat, to: "2")
    scratch.write(String(repeating: "X=1\n", count: 5000), to: "3")
    #expect(!isAtSeat)
  }

  @Test func whatIsNoRecordIsNotLookedAt() {
    scratch.write(Self.seat, to: "2")
    // SAFETY: the string is a C string for the call.
    _ = unsafe mkfifo(scratch.file("2.ref"), 0o600)
    scratch.write(Self.seat, to: ".#2abc")
    #expect(isAtSeat)
  }
}
