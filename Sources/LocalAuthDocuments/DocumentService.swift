import LocalAuth
import LocalAuthClient

/// Where a container is kept.
struct DocumentService: Sendable {
  let address: GroupAddress
  let source: any ConnectionSource

  /// The service of a device, for a program with a number of its own.
  init(_ container: String?, on device: Device) throws(AuthError) {
    let resolved = try device.resolved()
    let writer = Int64.random(in: 0 ... .max)
    address = GroupAddress(resolved.choice, container, writer: writer)
    source = resolved.source
  }

  func connect() throws(ClientError) -> DocumentLink {
    DocumentLink(connection: try source.connect(), address: address)
  }
}

/// A connection for calls about one container.
struct DocumentLink: ~Copyable {
  var connection: DaemonConnection
  let address: GroupAddress
}
