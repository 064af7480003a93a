import Glibc
import LocalAuthTestKit
import Testing

/// The end of a process that has devices in it.
@Suite struct ExitTests {
  /// Threads of the engine are sealing keys at that moment.
  @Test(arguments: 1...10)
  func aProcessMayEndWhileDevicesAreMade(_: Int) async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<4 {
        Task.detached {
          while true { _ = try TestDevice(fingers: [.rightIndex], passcode: "2468") }
        }
      }
      for _ in 0..<20 { _ = try TestDevice(passcode: "2468") }
      exit(0)
    }
  }
}
