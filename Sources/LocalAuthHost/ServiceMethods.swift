import LocalAuthWire

extension Methods {
  /// `org.varlink.service`.
  static var serviceMethods: [(String, MethodHandler)] {
    [("GetInfo", info), ("GetInterfaceDescription", interfaceDescription)]
  }

  private static func info(_ call: borrowing Call) throws(WireError) {
    _ = try call.readUnaddressed(ServiceMessages.Empty.self)
    var reply = ServiceMessages.InfoReply()
    reply.vendor = "LocalAuth"
    reply.product = "localauthd"
    reply.version = call.server.description.version
    reply.url = "https://varlink.org"
    reply.interfaces = Interfaces.all.map(\.name)
    call.reply(reply)
  }

  private static func interfaceDescription(_ call: borrowing Call) throws(WireError) {
    let name = try call.readUnaddressed(ServiceMessages.DescriptionCall.self).interface
    guard let description = Interfaces.description(of: name) else {
      var wrong = ServiceMessages.ErrorParameters()
      wrong.interface = name
      return call.responder.fail("\(ServiceMessages.interface).InterfaceNotFound", wrong)
    }
    var reply = ServiceMessages.DescriptionReply()
    reply.description = description
    call.reply(reply)
  }
}
