import LocalAuthCore
import LocalAuthService
import LocalAuthWire

extension EngineError {
  /// The error's name within an interface, and its parameters.
  var onTheWire: (name: String, parameters: ServiceMessages.ErrorParameters) {
    var parameters = ServiceMessages.ErrorParameters()
    switch self {
    case .policyNotFound(let policy):
      parameters.policy = policy
      return ("PolicyNotFound", parameters)
    case .policyUnusable(let policy, let message):
      parameters.policy = policy
      parameters.message = message
      return ("PolicyUnusable", parameters)
    case .deviceNotFound(let device):
      parameters.device = device
      return ("DeviceNotFound", parameters)
    case .deviceExists(let device):
      parameters.device = device
      return ("DeviceExists", parameters)
    case .invalidArgument(let message):
      parameters.message = message
      return ("InvalidArgument", parameters)
    case .scriptInvalid(let message):
      parameters.message = message
      return ("ScriptInvalid", parameters)
    case .passcodeRequired: return ("PasscodeRequired", parameters)
    case .refused(let outcome):
      parameters.outcome = outcome.code.rawValue
      parameters.message = outcome.detail ?? outcome.code.sentence
      parameters.retryAfterSeconds = outcome.retryAfter?.secondsRoundedUp
      return ("Refused", parameters)
    case .promptNotFound: return ("PromptNotFound", parameters)
    case .notArmed: return ("NotArmed", parameters)
    case .noSimulatedSensor: return ("NoSimulatedSensor", parameters)
    case .enrolmentFailed(let code, let message):
      parameters.code = code
      parameters.message = message
      return ("EnrollmentFailed", parameters)
    case .notPermitted(let message):
      parameters.message = message
      return ("NotPermitted", parameters)
    case .limitReached(let message):
      parameters.message = message
      return ("LimitReached", parameters)
    case .sync(let failure):
      parameters.code = failure.code
      parameters.outcome = failure.outcome.rawValue
      parameters.message = failure.sentence
      return ("SyncFailed", parameters)
    case .internalError(let message):
      parameters.message = message
      return ("Internal", parameters)
    }
  }
}
