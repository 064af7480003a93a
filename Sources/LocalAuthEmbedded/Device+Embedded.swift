public import LocalAuth
public import LocalAuthSecret

extension Device {
  /// A device whose engine runs inside this process and keeps its state in `directory`.
  ///
  /// The directory has one owner: all devices of a process that name the same path share one
  /// engine, which ends with the last of them; another process, a daemon included, is kept out.
  ///
  /// - Parameters:
  ///   - name: the name the device was created with; nil for the user's own machine.
  ///   - directory: an absolute path; made if need be, with access for its owner only.
  /// - Throws: ``DeviceError/engine(_:)``, when the state is not to be had.
  public init(_ name: String? = nil, directory: String) throws(DeviceError) {
    self.init(name, servedBy: try EngineThread.serving(directory))
  }

  /// Makes a simulated device whose engine runs inside this process.
  ///
  /// - Parameters:
  ///   - name: its name; no other device of the directory has it.
  ///   - directory: where its state is kept, as in ``init(_:directory:)``.
  ///   - setup: what it is made of.
  ///   - passcode: its passcode; nil for none.
  /// - Returns: the device, for contexts.
  /// - Throws: what cannot be used, or why there is no engine.
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
