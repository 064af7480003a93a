/// Who is told of changes: streams, and functions.
public struct ChangeListeners<Change: Sendable>: Sendable {
  private var streams: [UInt64: AsyncStream<Change>.Continuation] = [:]
  private var observers: [@Sendable (Change) -> Void] = []

  /// Nobody yet.
  public init() {}

  /// A stream of changes; whoever falls behind by more than 1,024 of them hears of the newest.
  ///
  /// - Parameter begin: Adds the stream; returns what removes it, once nobody reads it any more.
  /// - Returns: the stream.
  public static func stream(
    _ begin: (AsyncStream<Change>.Continuation) -> @Sendable () -> Void
  ) -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream<Change>.makeStream(
      bufferingPolicy: .bufferingNewest(1024)
    )
    let end = begin(continuation)
    continuation.onTermination = { _ in end() }
    return stream
  }

  /// Adds a stream; returns the number to remove it by.
  public mutating func add(_ stream: AsyncStream<Change>.Continuation) -> UInt64 {
    let number = UInt64.random(in: 0 ... .max)
    streams[number] = stream
    return number
  }

  /// Takes over those of another list.
  public mutating func take(_ other: inout Self) {
    streams.merge(other.streams) { own, _ in own }
    observers += other.observers
    other = Self()
  }

  /// Adds a function, which is called as long as changes are told.
  public mutating func add(_ observer: @escaping @Sendable (Change) -> Void) {
    observers.append(observer)
  }

  /// Removes a stream.
  public mutating func remove(_ number: UInt64) { streams[number] = nil }

  /// Tells all of them.
  public func tell(_ change: Change) {
    for stream in streams.values { stream.yield(change) }
    for observer in observers { observer(change) }
  }

  /// Ends the streams.
  public func finish() { for stream in streams.values { stream.finish() } }
}
