import Foundation
import LocalAuthTestKit
import Testing

@testable import NotesDevice

/// The three ways to hear of protected data.
///
/// The application is one for the process, and so is its device.
@Suite struct AvailabilityTests {
  @Test func delegateNotificationAndPropertyTellTheSame() async throws {
    let device = try TestDevice(passcode: "2468")
    let (byDelegate, delegateTells) = AsyncStream<AvailabilityNews>.makeStream()
    let (byNotification, notificationTells) = AsyncStream<AvailabilityNews>.makeStream()
    let delegate = device.use { Availability.Delegate { delegateTells.yield($0) } }
    let observers = Availability.observe { notificationTells.yield($0) }
    defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    var delegateHears = byDelegate.makeAsyncIterator()
    var observerHears = byNotification.makeAsyncIterator()
    #expect(Availability.isAvailable)
    try device.lock()
    #expect(await delegateHears.next() == .willBecomeUnavailable)
    #expect(await observerHears.next() == .willBecomeUnavailable)
    #expect(!Availability.isAvailable)
    try device.unlock()
    #expect(await delegateHears.next() == .didBecomeAvailable)
    #expect(await observerHears.next() == .didBecomeAvailable)
    #expect(Availability.isAvailable)
    withExtendedLifetime(delegate) {}
  }
}
