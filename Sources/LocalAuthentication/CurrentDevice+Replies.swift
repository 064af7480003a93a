import LocalAuth
import LocalAuthEmbedded

extension CurrentDevice {
  /// The device that is meant here; where there is none, one on which everything fails.
  static var meant: CurrentDevice {
    do throws(DeviceError) {
      return try get()
    } catch {
      let none = Device(unusable: .internalError("\(error)"))
      return CurrentDevice(none, prompter: .nobody)
    }
  }

  /// Runs `body` with this as the device that is meant: code that is called back goes on where it began.
  func use<Value>(_ body: () -> Value) -> Value {
    Self.$ofTask.withValue(self, operation: body)
  }

  /// The same on a thread where `body` may wait.
  func useOnOwnThread(_ body: @escaping @Sendable () -> Void) {
    AuthContext.onOwnThread { self.use(body) }
  }
}
