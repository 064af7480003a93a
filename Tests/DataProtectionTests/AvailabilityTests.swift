import DataProtection
import Foundation
import LocalAuthTestKit
import Synchronization
import Testing

/// The three ways in which an app hears of protected data.
@Suite struct AvailabilityTests {
  private final class Delegate: UIApplicationDelegate {
    let told: AsyncStream<Bool>
    private let continuation: AsyncStream<Bool>.Continuation

    init() { (told, continuation) = AsyncStream.makeStream() }

    func applicationProtectedDataWillBecomeUnavailable(_: UIApplication) {
      continuation.yield(false)
    }
    func applicationProtectedDataDidBecomeAvailable(_: UIApplication) { continuation.yield(true) }
  }

  @Test func lockAndUnlockAreToldToTheDelegateByNotificationAndByTheProperty() async throws {
    let device = try TestDevice(passcode: "2468")
    let delegate = Delegate()
    let names = Mutex<[Notification.Name]>([])
    let application = device.use { UIApplication.forCurrentDevice() }
    application.delegate = delegate
    let observers = [
      UIApplication.protectedDataWillBecomeUnavailableNotification,
      UIApplication.protectedDataDidBecomeAvailableNotification,
    ].map { name in
      NotificationCenter.default.addObserver(forName: name, object: application, queue: nil) {
        note in
        names.withLock { $0.append(note.name) }
      }
    }
    defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    #expect(application.isProtectedDataAvailable)
    var told = delegate.told.makeAsyncIterator()
    try device.lock()
    #expect(await told.next() == false)
    #expect(!application.isProtectedDataAvailable)
    try device.unlock()
    #expect(await told.next() == true)
    #expect(application.isProtectedDataAvailable)
    try device.reboot()
    // The notification follows the delegate's call.
    #expect(await told.next() == false)
    #expect(
      names.withLock { $0.prefix(2) } == [
        UIApplication.protectedDataWillBecomeUnavailableNotification,
        UIApplication.protectedDataDidBecomeAvailableNotification,
      ]
    )
  }
}
