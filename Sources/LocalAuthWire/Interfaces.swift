/// The interfaces of the service and their descriptions, as `org.varlink.service` returns them.
public enum Interfaces {
  /// An interface: its name, its methods, and its description in Varlink's language.
  public typealias Interface = (name: String, methods: [any AnyMethod], description: [UInt8])

  /// Every interface.
  public static let all: [Interface] = [
    (
      ServiceMessages.interface, Methods.ofService,
      PackageResources.org_varlink_service_varlink
    ),
    (
      AuthenticationMessages.interface, Methods.ofAuthentication,
      PackageResources.io_localauth_Authentication_varlink
    ),
    (
      AgentMessages.interface, Methods.ofAgents,
      PackageResources.io_localauth_Agents_varlink
    ),
    (
      AssertionMessages.interface, Methods.ofAssertions,
      PackageResources.io_localauth_Assertions_varlink
    ),
    (
      GrantMessages.interface, Methods.ofGrants,
      PackageResources.io_localauth_Grants_varlink
    ),
    (
      KeychainMessages.interface, Methods.ofKeychain,
      PackageResources.io_localauth_Keychain_varlink
    ),
    (
      FileMessages.interface, Methods.ofFiles,
      PackageResources.io_localauth_Files_varlink
    ),
    (
      BackupMessages.interface, Methods.ofBackups,
      PackageResources.io_localauth_Backups_varlink
    ),
    (
      SyncMessages.interface, Methods.ofSync,
      PackageResources.io_localauth_Sync_varlink
    ),
    (
      KeyValueMessages.interface, Methods.ofKeyValues,
      PackageResources.io_localauth_KeyValues_varlink
    ),
    (
      DocumentMessages.interface, Methods.ofDocuments,
      PackageResources.io_localauth_Documents_varlink
    ),
    (
      TableMessages.interface, Methods.ofTables,
      PackageResources.io_localauth_Tables_varlink
    ),
    (
      DeviceMessages.interface, Methods.ofDevices,
      PackageResources.io_localauth_Devices_varlink
    ),
    (
      DaemonMessages.interface, Methods.ofDaemon,
      PackageResources.io_localauth_Daemon_varlink
    ),
    (
      PolicyMessages.interface, Methods.ofPolicies,
      PackageResources.io_localauth_Policies_varlink
    ),
    (
      SensorMessages.interface, Methods.ofSensor,
      PackageResources.io_localauth_Sensor_varlink
    ),
    (
      AuthenticatorListMessages.interface, Methods.ofAuthenticators,
      PackageResources.io_localauth_Authenticators_varlink
    ),
  ]

  /// The interface that programs serve and the daemon calls.
  public static let ofPrograms: Interface = (
    AuthenticatorMessages.interface, Methods.ofPrograms,
    PackageResources.io_localauth_Authenticator_varlink
  )

  /// The description of the interface called `name`.
  public static func description(of name: String) -> String? {
    all.first { $0.name == name }.map { String(decoding: $0.description, as: UTF8.self) }
  }
}
