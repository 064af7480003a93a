import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthUnix
import LocalAuthWire

/// `authctl daemon status|reload|stop`.
enum DaemonVerbs {
  /// How long a daemon may take to end: it makes everything durable first.
  private static let patience = Duration.seconds(20)

  static let command = Command(
    "daemon",
    abstract: "See, reload and stop the daemon.",
    discussion: """
      The daemon is started by whatever needs it, and ends by itself once nobody does. None of these
      starts one. With --system they are about the service of the system, which only root may reload
      and stop.
      """,
    subcommands: [status, reload, stop]
  )

  static let status = Command(
    "status",
    abstract: "Say how the running daemon fares.",
    discussion: "Ends with 69 if none is running."
  ) { (context) throws(Failure) in
    let paths = try context.address().paths
    let reply = try context.callRunning(Methods.daemonStatus)
    return Report(
      "Process \(reply.daemon.pid) is running.",
      answer: DeviceText.lines(reply.daemon, at: paths)
    ) {
      $0.member("daemon") { DeviceText.write(reply.daemon, at: paths, to: &$0) }
    }
  }

  static let reload = Command(
    "reload",
    abstract: "Read policies, entitlements and rules of administration anew.",
    discussion: """
      Keychains stay open, and evaluations in progress go on as they began. Policies are also read
      anew by themselves once their files change. Says what is wrong with the files and ends with 78
      if something is; what is wrong stays out of force, the rest counts.
      """
  ) { (context) throws(Failure) in
    let problems = try context.callRunning(Methods.reloadDaemon).problems
    var report = Report("The configuration was read anew.", answer: problems) {
      $0.member("problems", problems)
    }
    if !problems.isEmpty {
      report.fail(.badConfiguration, "The configuration was read anew and has mistakes.")
    }
    return report
  }

  static let stop = Command(
    "stop",
    abstract: "End the daemon.",
    discussion: """
      Evaluations in progress are cancelled and keychains are locked, as if the daemon had ended by
      itself. Returns once it has ended. The next command that needs a daemon starts one.
      """
  ) { (context) throws(Failure) in try stop(context) }

  private static func stop(_ context: VerbContext) throws(Failure) -> Report {
    var connection = try context.connectToRunning()
    let none = ServiceMessages.Empty()
    let pid = try context.calling { () throws(ClientError) in
      try connection.call(Methods.daemonStatus, none).daemon.pid
    }
    let process = Int32(exactly: pid).flatMap { ProcessReference(lookingUp: $0) }
    let _: ServiceMessages.Empty = try context.calling { () throws(ClientError) in
      try connection.call(Methods.stopDaemon, none)
    }
    if let process, !process.waitForEnd(until: .after(patience)) {
      throw Failure(.timeout, "Process \(pid) is still ending.")
    }
    return Report("The daemon has ended; it was process \(pid).") { $0.member("pid", pid) }
  }
}

extension VerbContext {
  /// Connects to the daemon if it is running.
  func connectToRunning() throws(Failure) -> DaemonConnection {
    let address = try address()
    return try calling { () throws(ClientError) in try address.connectToRunning() }
  }

  /// Calls a method without parameters of the daemon if it is running.
  fileprivate func callRunning<Reply: WireObject>(
    _ method: RemoteMethod<ServiceMessages.Empty, Reply>
  ) throws(Failure) -> Reply {
    var connection = try connectToRunning()
    return try calling { () throws(ClientError) in
      try connection.call(method, ServiceMessages.Empty())
    }
  }
}
