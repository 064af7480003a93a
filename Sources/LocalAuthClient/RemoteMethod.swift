public import LocalAuthWire

/// A method of the daemon; ``LocalAuthWire/Methods`` has all of them.
public typealias RemoteMethod = Method
