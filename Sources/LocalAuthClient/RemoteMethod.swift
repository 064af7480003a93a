public import LocalAuthWire

/// A method of the daemon, listed in ``LocalAuthWire/Methods``.
public typealias RemoteMethod = Method
