import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct ByteQueueTests {
  @Test func behavesLikeAnArrayUnderRandomUse() throws {
    let seed = TestSeed.value
    var generator = SeededGenerator(seed: seed)
    var queue = ByteQueue()
    var model: [UInt8] = []
    for _ in 0..<400 {
      if Bool.random(using: &generator) {
        let added = (0..<Int.random(in: 0...5000, using: &generator)).map {
          UInt8(truncatingIfNeeded: $0)
        }
        model += added
        let room = try unsafe queue.makeRoom(added.count)
        for (index, byte) in added.enumerated() {
          unsafe room.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
        queue.didFill(added.count)
      } else {
        let size = Int.random(in: 0...max(1, model.count), using: &generator)
        queue.removeFirst(size)
        model.removeFirst(min(size, model.count))
      }
      try #require(queue.count == model.count, "seed \(seed)")
      let same = unsafe queue.bytes.elementsEqual(model)
      try #require(same, "seed \(seed)")
    }
  }

  @Test func holdsNoMemoryWhileItIsEmpty() throws {
    var queue = ByteQueue()
    let before = unsafe queue.bytes.baseAddress == nil
    _ = try unsafe queue.makeRoom(10)
    queue.didFill(10)
    queue.removeFirst(10)
    let after = unsafe queue.bytes.baseAddress == nil
    #expect(before && after)
  }
}
