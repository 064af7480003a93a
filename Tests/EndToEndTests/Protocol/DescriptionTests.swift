import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

/// What the daemon says about itself is what it does.
@Suite struct DescriptionTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let service: DescribedService

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    service = try DescribedService(try daemon.connect())
  }

  private var described: Set<String> {
    Set(service.interfaces.values.flatMap { one in one.methods.keys.map { "\(one.name).\($0)" } })
  }

  @Test func everyDescribedMethodIsThereAndNoOther() throws {
    #expect(described == Set(Methods.all.map(\.name)))
    let client = try daemon.connect()
    for method in described.sorted() {
      // No method takes a parameter of this name, so each says that instead of doing anything.
      let reply = try client.call(method, ["no-such-parameter": true])
      #expect(reply.error == Interface.service + "InvalidParameter", "\(method)")
    }
  }

  @Test func describedParametersAreTaken() throws {
    let client = try daemon.connect()
    for (name, interface) in service.interfaces {
      for (method, description) in interface.methods {
        for field in description.input {
          // A value of no type at all: a name that is known is complained about, too.
          let reply = try client.call(
            "\(name).\(method)",
            JSONValue(.object([.init(key: field.name, value: [[[]]])]))
          )
          #expect(reply.error == Interface.service + "InvalidParameter", "\(method)")
        }
      }
    }
  }

  @Test func everyReplyIsAsDescribed() throws {
    let life = DeviceLife(service)
    try life.make()
    try life.drive()
    try life.evaluate(answeringWith: try daemon.connect(), on: try daemon.connect())
    try life.register(answeringWith: try daemon.connect())
    try life.keep()
    try life.administer()
    try life.fail()
    try life.end()
    #expect(described.subtracting(service.answered).subtracting(life.answeredElsewhere).isEmpty)
  }
}
