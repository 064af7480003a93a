import CLocalAuthLinux
import Glibc
import Testing

@testable import LocalAuthUnix

@Suite struct ProcessEnvironmentTests {
  private func homeInPasswd(of uid: uid_t, room: Int = 4096) -> (outcome: Int32, path: String) {
    var path = [CChar](repeating: 0, count: room)
    // SAFETY: the array's storage is valid for the call and `room` bytes long.
    let outcome = unsafe la_home_directory(uid, &path, path.count)
    let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return (outcome, String(decoding: bytes, as: UTF8.self))
  }

  @Test func passwdFileKnowsRootsHome() {
    #expect(homeInPasswd(of: 0).outcome == 0)
    #expect(homeInPasswd(of: 0).path.hasPrefix("/"))
  }

  @Test func unknownUserAndOverlongHomeAreErrors() {
    #expect(homeInPasswd(of: 4_000_000_000).outcome == -ENOENT)
    #expect(homeInPasswd(of: 0, room: 2).outcome == -ERANGE)
  }

  @Test func emptyVariableCountsAsUnset() {
    let environment = ProcessEnvironment(variables: ["A": "", "B": "b"])
    #expect(environment["A"] == nil)
    #expect(environment["B"] == "b")
    #expect(environment["C"] == nil)
  }

  @Test func privilegedProgramSeesNoVariable() {
    let environment = ProcessEnvironment(
      variables: ["LOCALAUTH_DEVICE": "d", "HOME": "/evil"],
      isPrivileged: true,
      userHome: "/home/u"
    )
    #expect(environment["LOCALAUTH_DEVICE"] == nil)
    #expect(environment.absolutePath("HOME") == nil)
    #expect(environment.homeDirectory == "/home/u")
  }

  @Test func relativeHomesAreNotBelieved() {
    let environment = ProcessEnvironment(variables: ["HOME": "u"], userHome: "also/relative")
    #expect(environment.homeDirectory == nil)
  }
}
