public import LocalAuthWire

/// An access group of a service, for which it keeps documents, key-values and tables.
public struct GroupAddress: Sendable {
  /// Its device.
  public var device: DeviceChoice
  /// The access group, which is one of the program's; nil for the first.
  public var group: String?
  /// A number that this program writes and watches with, so that it is not told of its own changes.
  public var writer: Int64?

  /// The group called `group` of `device`, for a program that writes with this number.
  public init(_ device: DeviceChoice, _ group: String?, writer: Int64? = nil) {
    self.device = device
    self.group = group
    self.writer = writer
  }

  /// A call about it.
  public func call<Call: GroupCall>() -> Call {
    var call = Call()
    call.target = target
    return call
  }

  /// It as calls carry it.
  var target: GroupTarget {
    var target = GroupTarget()
    target.device = device.name
    target.allowSimulated = device.allowsSimulated
    target.group = group
    target.writer = writer
    return target
  }
}
