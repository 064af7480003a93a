import LocalAuthWire

extension MethodHandlers {
  /// `org.varlink.service`.
  static var serviceMethods: [(String, MethodHandler)] {
    [
      (
        "GetInfo",
        { server, parameters, responder throws(WireError) in
          _ = try parameters.readUnaddressed(ServiceMessages.Empty.self)
          var reply = ServiceMessages.InfoReply()
          reply.vendor = "LocalAuth"
          reply.product = "localauthd"
          reply.version = server.description.version
          reply.url = "https://varlink.org"
          reply.interfaces = Interfaces.all.map(\.name)
          responder.reply(reply)
        }
      ),
      (
        "GetInterfaceDescription",
        { _, parameters, responder throws(WireError) in
          let name = try parameters.readUnaddressed(ServiceMessages.DescriptionCall.self).interface
          guard let description = Interfaces.description(of: name) else {
            var wrong = ServiceMessages.ErrorParameters()
            wrong.interface = name
            return responder.fail("\(ServiceMessages.interface).InterfaceNotFound", wrong)
          }
          var reply = ServiceMessages.DescriptionReply()
          reply.description = description
          responder.reply(reply)
        }
      ),
    ]
  }
}
