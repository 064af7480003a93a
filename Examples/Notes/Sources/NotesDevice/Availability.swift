import DataProtection
import Foundation

/// What the system tells of protected data.
public enum AvailabilityNews: Equatable, Sendable {
  /// The device was locked: files of class A can be used for a few seconds more.
  case willBecomeUnavailable
  case didBecomeAvailable
}

/// The three ways to hear of protected data, each with its line.
///
/// An app needs one of them.
public enum Availability {
  /// The property: for now.
  public static var isAvailable: Bool { UIApplication.shared.isProtectedDataAvailable }

  /// The notifications: for any part of an app.
  ///
  /// - Parameter tell: Called on a thread of the system's.
  /// - Returns: the observers, for `NotificationCenter.removeObserver`.
  public static func observe(
    _ tell: @escaping @Sendable (AvailabilityNews) -> Void
  ) -> [any NSObjectProtocol] {
    let names: [(Notification.Name, AvailabilityNews)] = [
      (UIApplication.protectedDataWillBecomeUnavailableNotification, .willBecomeUnavailable),
      (UIApplication.protectedDataDidBecomeAvailableNotification, .didBecomeAvailable),
    ]
    return names.map { name, news in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        tell(news)
      }
    }
  }

  /// The delegate: for the app as a whole.
  public final class Delegate: UIApplicationDelegate {
    private let tell: @Sendable (AvailabilityNews) -> Void

    /// Becomes the application's delegate, for as long as somebody keeps this value.
    public init(_ tell: @escaping @Sendable (AvailabilityNews) -> Void) {
      self.tell = tell
      UIApplication.shared.delegate = self
    }

    /// Tells it.
    public func applicationProtectedDataWillBecomeUnavailable(_: UIApplication) {
      tell(.willBecomeUnavailable)
    }

    /// Tells it.
    public func applicationProtectedDataDidBecomeAvailable(_: UIApplication) {
      tell(.didBecomeAvailable)
    }
  }
}
