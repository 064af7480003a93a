public import LocalAuth
public import LocalAuthSecret

extension Device {
  /// A device whose engine runs inside this process and keeps its state in `directory`.
  ///
  /// The directory has a single owner. All devices of a process that specify the same path share
  /// one engine, which ends with the last of them; other processes, including daemons, are kept
  /// out.
  ///
  /// - Parameters:
  ///   - name: the name the device was created with; nil for the user's own machine.
  ///   - directory: an absolute path; created if necessary, with access for its owner only.
  /// - Throws: ``DeviceError/invalid(_:)`` for a relative path; ``DeviceError/engine(_:)`` if the
  ///   state is not available.
  public init(_ name: String? = nil, directory: String) throws(DeviceError) {
    self.init(name, servedBy: try EngineThread.serving(directory))
  }

  /// Creates a simulated device whose engine runs inside this process.
  ///
  /// - Parameters:
  ///   - name: its name, unique in the directory.
  ///   - directory: the directory of its state, as in ``init(_:directory:)``.
  ///   - setup: its hardware and settings.
  ///   - passcode: its passcode; nil for none.
  /// - Returns: the device, for use in contexts.
  /// - Throws: ``DeviceError`` if a value is invalid, the name is taken, or the engine cannot
  ///   start.
  public static func create(
    _ name: String,
    directory: String,
    _ setup: DeviceSetup = DeviceSetup(),
    passcode: consuming Secret? = nil
  ) throws(DeviceError) -> Device {
    let link = DeviceLink(name, of: try EngineThread.serving(directory))
    try link.create(setup, passcode: passcode)
    return Device(name, servedBy: link.source)
  }
}
