public import LocalAuthCore
import LocalAuthKeychain

/// A device's identity as bytes that are bound into what is sealed or hashed for it.
///
/// No device's label is a prefix of another's. It is made once for each device, because items are
/// read often.
public struct DeviceLabel: Hashable, Sendable {
  let bytes: [UInt8]

  /// The label that has these bytes.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The label of `device`.
  public init(_ device: DeviceIdentity) {
    let name = Array(device.name.utf8)
    var bytes: [UInt8] = []
    bytes.append(littleEndian: device.owner)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: name.count))
    self.bytes = bytes + name
  }
}
