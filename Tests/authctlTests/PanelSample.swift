import LocalAuthWire

/// What a daemon tells a panel.
enum PanelSample {
  static func status(
    simulated: Bool = true,
    sensor: String = "simulated",
    fingers: [String] = ["right-index-finger", "left-thumb"],
    asked: [DeviceMessages.Asked] = []
  ) -> DeviceMessages.StatusReply {
    var status = DeviceMessages.StatusReply()
    status.device.name = "demo"
    status.device.simulated = simulated
    status.device.sensor = sensor
    status.device.fingers = fingers
    status.device.passcode = "device"
    status.device.lockState = "unlocked"
    status.device.lockout = "three-strikes"
    status.device.passcodeDelays = "apple"
    status.device.biometry = "usable"
    status.device.attemptsLeft = 3
    status.device.passcodeState = "usable"
    status.device.wrongPasscodes = 2
    status.device.passcodeAttemptsLeft = 8
    status.asked = asked
    return status
  }

  static func asked(_ reason: String = "deploy to production") -> DeviceMessages.Asked {
    var asked = DeviceMessages.Asked()
    asked.evaluation = "0123"
    asked.action = "evaluate"
    asked.uid = 1000
    asked.pid = 4711
    asked.program = "authctl"
    asked.programPath = "/usr/local/bin/authctl"
    asked.terminal = "pts/3"
    asked.policy = "device-owner"
    asked.reason = reason
    asked.shownAction = "publish 1.4"
    asked.factors = ["biometry", "passcode"]
    asked.secondsLeft = 67
    return asked
  }

  static func line(
    _ name: String,
    _ outcome: String = "success",
    at time: Int64,
    reason: String = ""
  ) -> DeviceMessages.AuditLine {
    var line = DeviceMessages.AuditLine()
    line.evaluation = name
    line.action = "evaluate"
    line.policy = "biometrics"
    line.device = "demo"
    line.program = "pay"
    line.reason = reason
    line.outcome = outcome
    line.began = time
    line.ended = outcome == "unknown" ? nil : time
    return line
  }

  static func dump(_ state: [String: String]) -> SensorMessages.DumpReply {
    var reply = SensorMessages.DumpReply()
    reply.state = state.map { key, value in
      var setting = SensorMessages.Setting()
      (setting.key, setting.value) = (key, value)
      return setting
    }
    return reply
  }
}
