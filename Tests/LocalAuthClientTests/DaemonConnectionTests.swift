import LocalAuthClient
import LocalAuthSecret
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

@Suite struct DaemonConnectionTests {
  private static let info = #"{"parameters":{"fingers":["left-thumb"],"generation":3,"maximum":5}}"#

  /// What a call of `List` throws when the daemon answers with `handler`.
  private func failureOfList(_ handler: @escaping FakeDaemon.Handler) throws -> ClientError? {
    try withFakeDaemon(handler) { daemon in
      var connection = try address(of: daemon).connect()
      return failure {
        try connection.call(Methods.listFingers, DeviceMessages.DeviceCall())
      }
    }
  }

  @Test func callSendsOneFrameAndReadsItsReply() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(Self.info, to: request)
    } _: { daemon in
      var connection = try address(of: daemon).connect()
      var call = DeviceMessages.DeviceCall()
      call.device = "sim"
      for _ in 0..<3 {
        let reply = try connection.call(Methods.listFingers, call)
        #expect(reply.fingers == ["left-thumb"])
        #expect(reply.generation == 3)
      }
      let sent = #"{"method":"io.localauth.Sensor.List","parameters":{"device":"sim"}}"#
      #expect(daemon.requests.map(\.text) == [sent, sent, sent])
    }
  }

  @Test func secretArrivesHoweverItMustBeEscaped() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(#"{"parameters":{}}"#, to: request)
    } _: { daemon in
      var connection = try address(of: daemon).connect()
      for text in ["2468", "a\"b\\c\n", "pässwörd", ""] {
        let passcode = secret(text)
        try passcode.lend { (lent) throws(ClientError) in
          var call = DeviceMessages.RemovePasscodeCall()
          call.passcode = lent
          _ = try connection.call(Methods.removePasscode, call)
        }
      }
      #expect(
        daemon.requests.map(\.text) == [
          #"{"method":"io.localauth.Devices.RemovePasscode","parameters":{"passcode":"2468"}}"#,
          #"{"method":"io.localauth.Devices.RemovePasscode","parameters":{"passcode":"a\"b\\c\n"}}"#,
          #"{"method":"io.localauth.Devices.RemovePasscode","parameters":{"passcode":"pässwörd"}}"#,
          #"{"method":"io.localauth.Devices.RemovePasscode","parameters":{"passcode":""}}"#,
        ]
      )
    }
  }

  @Test func longScriptIsSentWhole() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(#"{"parameters":{"queued":9}}"#, to: request)
    } _: { daemon in
      var connection = try address(of: daemon).connect()
      let events = secret(String(repeating: "miss,", count: 13_000))
      try events.lend { (lent) throws(ClientError) in
        var call = SensorMessages.ScriptCall()
        call.events = lent
        let reply = try connection.call(Methods.script, call)
        #expect(reply.queued == 9)
      }
      #expect(daemon.requests.first?.text.utf8.count ?? 0 > 65_000)
    }
  }

  @Test func requestThatIsTooLongIsNotSent() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(#"{"parameters":{"valid":true}}"#, to: request)
    } _: { daemon in
      var connection = try address(of: daemon).connect()
      var call = PolicyMessages.CheckCall()
      call.source = String(repeating: "x", count: 200_000)
      #expect(kind(failure { try connection.call(Methods.checkPolicy, call) }) == "requestTooLong")
      let events = secret(String(repeating: "x", count: 200_000))
      let error = failure {
        try events.lend { (lent) throws(ClientError) in
          var call = SensorMessages.ScriptCall()
          call.events = lent
          _ = try connection.call(Methods.script, call)
        }
      }
      #expect(kind(error) == "requestTooLong")
      // The connection is as good as before.
      #expect(try connection.call(Methods.checkPolicy, PolicyMessages.CheckCall()).valid)
      #expect(daemon.requests.count == 1)
    }
  }

  @Test func secretThatIsNoTextIsRefusedBeforeItIsSent() throws {
    try withFakeDaemon { _, _ in
    } _: { daemon in
      var connection = try address(of: daemon).connect()
      var noText = Secret(capacity: 2)
      _ = noText.append(0xFF)
      let error = failure {
        try noText.lend { (lent) throws(ClientError) in
          var call = DeviceMessages.DeleteCall()
          call.passcode = lent
          _ = try connection.call(Methods.deleteDevice, call)
        }
      }
      #expect(kind(error) == "protocolError")
      #expect(daemon.requests.isEmpty)
    }
  }

  @Test(arguments: [
    "", "{", "nonsense", "[]", "null", #"{"parameters":[]}"#, #"{"parameters":{}}"#,
    #"{"parameters":{"fingers":["a"],"generation":1}}"#,
    #"{"parameters":{"fingers":"a","generation":1,"maximum":5}}"#,
    #"{"parameters":{"fingers":[],"generation":1,"maximum":5},"continues":true}"#,
    #"{"parameters":{"fingers":[],"generation":1,"maximum":5}} {}"#,
    #"{"error":7}"#,
  ])
  func replyOfNoProtocolOfOursIsRefused(_ reply: String) throws {
    let error = try failureOfList { daemon, request in daemon.reply(reply, to: request) }
    #expect(kind(error) == "protocolError")
  }

  @Test func memberOfALaterVersionIsSkipped() throws {
    let error = try failureOfList { daemon, request in
      daemon.reply(
        #"{"parameters":{"fingers":[],"generation":1,"maximum":5,"later":{}},"later":1}"#,
        to: request
      )
    }
    #expect(kind(error) == "none")
  }

  @Test func bytesThatAreNoTextAreRefused() throws {
    let error = try failureOfList { daemon, request in
      daemon.send([0x7B, 0xFF, 0xFE, 0x7D, 0x00], on: request.connection)
    }
    #expect(kind(error) == "protocolError")
  }

  @Test func oversizedReplyIsRefused() throws {
    let error = try failureOfList { daemon, request in
      daemon.send([UInt8](repeating: 0x20, count: 1_200_000), on: request.connection)
    }
    #expect(kind(error) == "unreachable")
  }

  @Test(arguments: ["", #"{"parameters":{"fing"#])
  func daemonThatGoesAwayIsUnreachable(_ beginning: String) throws {
    let error = try failureOfList { daemon, request in
      daemon.send(Array(beginning.utf8), on: request.connection)
      daemon.close(request.connection)
    }
    #expect(kind(error) == "unreachable")
  }

  @Test func errorOfTheDaemonHasItsNameAndParameters() throws {
    let error = try failureOfList { daemon, request in
      daemon.reply(
        #"{"error":"io.localauth.Devices.Refused","parameters":{"outcome":"passcodeThrottled","#
          + #""message":"wait","retryAfterSeconds":60}}"#,
        to: request
      )
    }
    guard case .remote("io.localauth.Devices.Refused", let parameters) = error else {
      Issue.record("\(kind(error))")
      return
    }
    #expect(parameters.outcome == "passcodeThrottled")
    #expect(parameters.retryAfterSeconds == 60)
  }

  @Test(arguments: ["", #","parameters":{}"#, #","parameters":{"later":1}"#])
  func errorCountsWhateverItsParametersAre(_ parameters: String) throws {
    let error = try failureOfList { daemon, request in
      daemon.reply(#"{"error":"io.localauth.Devices.Internal"\#(parameters)}"#, to: request)
    }
    #expect(kind(error) == "io.localauth.Devices.Internal")
  }

  @Test func connectionOutlivesAnErrorOfTheDaemon() throws {
    try withFakeDaemon { daemon, request in
      let isFirst = daemon.requests.count == 1
      daemon.reply(isFirst ? #"{"error":"io.localauth.Sensor.NotArmed"}"# : Self.info, to: request)
    } _: { daemon in
      var connection = try address(of: daemon).connect()
      let call = DeviceMessages.DeviceCall()
      #expect(
        kind(failure { try connection.call(Methods.listFingers, call) })
          == "io.localauth.Sensor.NotArmed"
      )
      #expect(try connection.call(Methods.listFingers, call).maximum == 5)
    }
  }

  @Test func lateReplyNeverPassesForAnotherAnswer() throws {
    try withFakeDaemon { daemon, request in
      // The first request is answered together with the second.
      guard daemon.requests.count == 2 else { return }
      daemon.reply(Self.info, to: request)
    } _: { daemon in
      var connection = try address(of: daemon).connect()
      let call = DeviceMessages.DeviceCall()
      let first = failure {
        try connection.call(Methods.listFingers, call, within: .milliseconds(1))
      }
      #expect(kind(first) == "unreachable")
      #expect(kind(failure { try connection.call(Methods.listFingers, call) }) == "unreachable")
      #expect(daemon.requests.count <= 1)
    }
  }

  @Test func repliesOfAStreamComeOneByOne() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(
        #"{"parameters":{"stage":1,"stages":2,"completed":false},"continues":true}"#,
        to: request
      )
      daemon.reply(#"{"parameters":{"completed":true}}"#, to: request)
    } _: { daemon in
      var connection = try address(of: daemon).connect()
      var call = SensorMessages.EnrollCall()
      call.finger = "left-thumb"
      try connection.begin(Methods.enrollFinger, call)
      let first = try connection.next(Methods.enrollFinger)
      #expect(first.reply.stage == 1)
      #expect(first.continues)
      let last = try connection.next(Methods.enrollFinger)
      #expect(last.reply.completed)
      #expect(!last.continues)
      #expect(
        daemon.requests.map(\.text) == [
          #"{"method":"io.localauth.Sensor.Enroll","parameters":{"finger":"left-thumb"},"more":true}"#
        ]
      )
    }
  }
}
