import LocalAuthClient
import LocalAuthWire

/// A success that a context remembers, and the state of the device when it was proven.
///
/// Like Apple's, a context answers a second evaluation of the same policy without asking anyone.
/// Here that ends with the context, with ``AuthContext/invalidate()``, and with every change of the
/// device that would end an authorization: other fingers, a lock, or a restart of the service.
struct ProvenSuccess: Sendable {
  let evaluation: Evaluation
  let snapshot: DeviceSnapshot

  /// The success, marked as repeated.
  var repeated: ProvenSuccess {
    var evaluation = evaluation
    evaluation.isRepeated = true
    return ProvenSuccess(evaluation: evaluation, snapshot: snapshot)
  }

  /// Whether the success may be repeated: the device is unchanged, and a new evaluation could
  /// succeed.
  func stillHolds(
    for policy: PolicyName,
    _ now: DeviceSnapshot,
    _ choice: DeviceChoice,
    _ connection: inout DaemonConnection
  ) throws(AuthError) -> Bool {
    guard snapshot == now else { return false }
    let reply = try CanEvaluate.ask(policy, choice, &connection)
    return reply.result.isSuccess
  }
}

/// The state of a device whose change ends a remembered success.
struct DeviceSnapshot: Sendable, Equatable {
  /// A token for the set of enrolled fingers.
  let domainState: DomainState?
  private let lockState: String
  private let passcode: String
  private let service: Int64

  static func read(
    of choice: DeviceChoice,
    over connection: inout DaemonConnection
  ) throws(AuthError) -> DeviceSnapshot {
    var call = DeviceMessages.DeviceCall()
    call.device = choice.name
    do throws(ClientError) {
      let reply = try connection.call(Methods.status, call)
      return DeviceSnapshot(
        domainState: reply.device.domainState.map { DomainState($0) },
        lockState: reply.device.lockState,
        passcode: reply.device.passcode,
        service: reply.daemon.pid
      )
    } catch {
      throw AuthError(error)
    }
  }
}

/// Asks the service whether a policy can be evaluated now.
enum CanEvaluate {
  static func ask(
    _ policy: PolicyName,
    _ choice: DeviceChoice,
    _ connection: inout DaemonConnection
  ) throws(AuthError) -> AuthenticationMessages.CanEvaluateReply {
    var call = AuthenticationMessages.CanEvaluateCall()
    call.policy = policy.description
    call.device = choice.name
    call.allowSimulated = choice.allowsSimulated
    do throws(ClientError) {
      var reply = try connection.call(Methods.canEvaluate, call)
      reply.result = try choice.checked(reply.result)
      return reply
    } catch {
      throw AuthError(error)
    }
  }
}
