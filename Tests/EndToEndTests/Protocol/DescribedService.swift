import LocalAuthJSON
import LocalAuthTestSupport
import Testing

/// A client that holds every reply against the descriptions that the daemon gives out.
final class DescribedService {
  let interfaces: [String: VarlinkInterface]
  private let client: WireClient
  /// Methods that were answered without an error.
  private(set) var answered: Set<String> = []
  /// Errors that were seen.
  private(set) var errors: Set<String> = []

  init(_ client: WireClient) throws {
    self.client = client
    var interfaces: [String: VarlinkInterface] = [:]
    let info = try client.call(Interface.service + "GetInfo").get()
    for name in info["interfaces"]?.elements.compactMap(\.string) ?? [] {
      let reply = try client.call(
        Interface.service + "GetInterfaceDescription",
        ["interface": .text(name)]
      ).get()
      let interface = try VarlinkInterface(parsing: reply["description"]?.string ?? "")
      #expect(interface.name == name)
      interfaces[name] = interface
    }
    self.interfaces = interfaces
  }

  /// Calls a method with `more` and checks all replies; returns the last.
  @discardableResult
  func call(_ method: String, _ parameters: JSONValue = [:]) throws -> WireClient.Reply {
    try client.send(method, parameters, more: true)
    return try receiveRest(of: method)
  }

  /// Calls a method whose stream has no end, for one reply.
  func callOnce(_ method: String, _ parameters: JSONValue) throws -> WireClient.Reply {
    let reply = try client.call(method, parameters)
    try check(reply, to: method)
    return reply
  }

  /// Checks a reply to `method`.
  func check(_ reply: WireClient.Reply, to method: String) throws {
    let (interface, name) = try split(method)
    if let error = reply.error {
      errors.insert(error)
      let (owner, word) = try split(error)
      #expect(
        owner.name == interface.name || owner.name == "org.varlink.service",
        "\(method) answers with the error \(error) of another interface"
      )
      let fields = try #require(owner.errors[word], "\(error) is not described")
      #expect(owner.fault(in: reply.parameters, fields) == nil, "\(error): \(reply.parameters)")
      return
    }
    let fields = try #require(interface.methods[name]?.output, "\(method) is not described")
    let fault = interface.fault(in: reply.parameters, fields)
    #expect(fault == nil, "\(method): \(fault ?? "")")
    answered.insert(method)
  }

  func receiveRest(of method: String) throws -> WireClient.Reply {
    let replies = try client.receiveRest()
    for reply in replies { try check(reply, to: method) }
    return replies[replies.count - 1]
  }

  private func split(_ name: String) throws -> (VarlinkInterface, String) {
    let dot = try #require(name.lastIndex(of: "."))
    let interface = try #require(interfaces[String(name[..<dot])], "\(name): no such interface")
    return (interface, String(name[name.index(after: dot)...]))
  }
}
