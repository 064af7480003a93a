/// Runs `body` beside a daemon that answers with `handler`, and ends it afterwards.
public func withFakeDaemon<Result>(
  _ handler: @escaping FakeDaemon.Handler,
  _ body: (FakeDaemon) throws -> Result
) rethrows -> Result {
  let daemon = FakeDaemon(handler)
  defer { daemon.end() }
  return try body(daemon)
}
