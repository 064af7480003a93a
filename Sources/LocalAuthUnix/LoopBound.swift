/// Carries a value of the loop's thread through other threads and back.
///
/// A worker captures it, and the body that the worker posts unwraps it.
public struct LoopBound<Value>: @unchecked Sendable {
  // @unchecked: `value` is accessible on the loop's thread only, which every access checks.
  private let bound: Value
  private let loop: LoopHandle

  /// Binds `value` to `loop`; called on its thread.
  public init(_ value: Value, to loop: EventLoop) {
    bound = value
    self.loop = loop.handle
  }

  /// The value; a precondition failure on any thread but the loop's.
  public var value: Value {
    precondition(loop.isCurrent, "a value of the event loop was used on another thread")
    return bound
  }
}
