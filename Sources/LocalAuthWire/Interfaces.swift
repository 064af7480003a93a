/// The interfaces of the service and their descriptions, as `org.varlink.service` gives them out.
public enum Interfaces {
  /// Every interface, by name.
  public static let all: [(name: String, description: [UInt8])] = [
    (ServiceMessages.interface, PackageResources.org_varlink_service_varlink),
    (AuthenticationMessages.interface, PackageResources.io_localauth_Authentication_varlink),
    (AgentMessages.interface, PackageResources.io_localauth_Agents_varlink),
    (AssertionMessages.interface, PackageResources.io_localauth_Assertions_varlink),
    (GrantMessages.interface, PackageResources.io_localauth_Grants_varlink),
    (KeychainMessages.interface, PackageResources.io_localauth_Keychain_varlink),
    (DeviceMessages.interface, PackageResources.io_localauth_Devices_varlink),
    (PolicyMessages.interface, PackageResources.io_localauth_Policies_varlink),
    (SensorMessages.interface, PackageResources.io_localauth_Sensor_varlink),
  ]

  /// The description of the interface called `name`.
  public static func description(of name: String) -> String? {
    all.first { $0.name == name }.map { String(decoding: $0.description, as: UTF8.self) }
  }
}
