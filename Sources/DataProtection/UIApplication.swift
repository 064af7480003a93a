public import Foundation
import LocalAuthFiles
import Synchronization

/// The part of UIKit's delegate that hears of protected data.
public protocol UIApplicationDelegate: AnyObject, Sendable {
  /// The device was locked: files of `complete` can be read for a few seconds more.
  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
  /// The device was unlocked.
  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
}

extension UIApplicationDelegate {
  /// Does nothing.
  public func applicationProtectedDataWillBecomeUnavailable(_: UIApplication) {}
  /// Does nothing.
  public func applicationProtectedDataDidBecomeAvailable(_: UIApplication) {}
}

/// The part of UIKit's application that tells whether protected data is available: by a property, by
/// notifications, and to a delegate.
///
/// The device is the one that counts where ``shared`` is used first. Notifications and calls of the delegate come
/// on a thread of their own; an observer with a queue gets them there.
public final class UIApplication: Sendable {
  /// Posted when the device was locked; files of `complete` can be read for a few seconds more.
  public static let protectedDataWillBecomeUnavailableNotification = Notification.Name(
    "UIApplicationProtectedDataWillBecomeUnavailable"
  )
  /// Posted when the device was unlocked.
  public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
    "UIApplicationProtectedDataDidBecomeAvailable"
  )
  /// The application.
  public static let shared = UIApplication()

  /// One for the device that counts here, for tests with several devices.
  package static func forCurrentDevice() -> UIApplication { UIApplication() }

  private struct Delegate {
    weak var value: (any UIApplicationDelegate)?
  }

  private let files: ProtectedFiles?
  private let held = Mutex(Delegate())

  init() {
    files = try? ProtectedFilesOfDevice.current()
    guard let changes = files?.changes else { return }
    Task.detached { [weak self] in
      var wasAvailable: Bool?
      for await availability in changes {
        guard let self else { return }
        defer { wasAvailable = availability.isAvailable }
        guard let wasAvailable, wasAvailable != availability.isAvailable else { continue }
        tell(availability.isAvailable)
      }
    }
  }

  /// Who hears of protected data; it is not kept.
  public var delegate: (any UIApplicationDelegate)? {
    get { held.withLock { $0.value } }
    set { held.withLock { $0.value = newValue } }
  }

  /// False from the lock of a device with a passcode on, before its first unlock, and where no device can be
  /// reached.
  public var isProtectedDataAvailable: Bool { files?.availability.isAvailable ?? false }

  private func tell(_ isAvailable: Bool) {
    if isAvailable {
      delegate?.applicationProtectedDataDidBecomeAvailable(self)
    } else {
      delegate?.applicationProtectedDataWillBecomeUnavailable(self)
    }
    let name =
      isAvailable
      ? Self.protectedDataDidBecomeAvailableNotification
      : Self.protectedDataWillBecomeUnavailableNotification
    NotificationCenter.default.post(name: name, object: self)
  }
}
