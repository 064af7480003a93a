/// Carries a value that belongs to a loop through other threads and back.
///
/// A worker captures it, and the body that the worker posts opens it again.
public struct LoopBound<Value>: @unchecked Sendable {
  // @unchecked: `value` can be reached on the loop's thread alone, which is checked each time.
  private let bound: Value
  private let loop: LoopHandle

  /// Binds `value` to `loop`; called on its thread.
  public init(_ value: Value, to loop: EventLoop) {
    bound = value
    self.loop = loop.handle
  }

  /// The value; the process ends when another thread than the loop's asks for it.
  public var value: Value {
    precondition(loop.isCurrent, "a value of the event loop was used on another thread")
    return bound
  }
}
