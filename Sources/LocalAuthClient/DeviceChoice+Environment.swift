public import LocalAuthUnix

extension DeviceChoice {
  /// A device that the environment chose and that has this name where it is served.
  ///
  /// - Parameters:
  ///   - name: its name there; nil for the user's own machine.
  ///   - environment: says whether a simulated success counts.
  public init(chosenByEnvironment name: String?, environment: ProcessEnvironment = .current) {
    self.name = name
    origin = .environment
    allowsSimulated = environment["LOCALAUTH_ALLOW_SIMULATED"] == "1"
  }
}
