public import LocalAuthUnix

extension DeviceChoice {
  /// The device that the environment chose, under the name that its service uses.
  ///
  /// - Parameters:
  ///   - name: the device's name; nil for the user's own machine.
  ///   - environment: determines whether a simulated success counts.
  public init(chosenByEnvironment name: String?, environment: ProcessEnvironment = .current) {
    self.name = name
    origin = .environment
    allowsSimulated = environment["LOCALAUTH_ALLOW_SIMULATED"] == "1"
  }
}
