import LocalAuthWire

/// The methods of `org.varlink.service`.
enum ServiceMethods {
  static let handlers = [
    Handler(Methods.info, info),
    Handler(Methods.interfaceDescription, interfaceDescription),
  ]

  private static func info(_: ServiceMessages.Empty, _ call: borrowing Call) {
    var reply = ServiceMessages.InfoReply()
    reply.vendor = "LocalAuth"
    reply.product = "localauthd"
    reply.version = call.server.description.version
    reply.url = "https://varlink.org"
    reply.interfaces = Interfaces.all.map(\.name)
    call.reply(reply)
  }

  private static func interfaceDescription(
    _ parameters: ServiceMessages.DescriptionCall,
    _ call: borrowing Call
  ) {
    let name = parameters.interface
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
