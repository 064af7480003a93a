public import LocalAuthUnix

extension DeviceChoice {
  /// The device called `name` where it is served, chosen by the environment.
  ///
  /// - Parameters:
  ///   - name: its name there; nil for the user's own machine.
  ///   - environment: determines whether a simulated success counts.
  public init(chosenByEnvironment name: String?, environment: ProcessEnvironment = .current) {
    self.name = name
    origin = .environment
    allowsSimulated = environment["LOCALAUTH_ALLOW_SIMULATED"] == "1"
  }
}
