import Glibc
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthSecret

/// Serialized: the arena is shared by the process, and these tests fill it or count its bytes.
@Suite(.serialized) struct SecretArenaTests {
  private let seed: UInt64 = TestSeed.value

  @Test func leavesNoCopyInTheProcessAfterDeinit() throws {
    // The pattern exists in memory only inside the secret: it is made there, byte by byte, from
    // a generator that the search runs again for each place.
    for size in [32, 3000, 20_000] {
      // No other test may make the same bytes: their seeds are this run's, or little more.
      let seed = self.seed &+ 0x5EC2_E7A2_E7A0_0000 &+ UInt64(size)
      #expect(try occurrencesWhileHeld(seed: seed, size: size) == 1, "seed \(seed)")
      #expect(try MemoryScan.occurrences(seed: seed, size: size) == 0, "seed \(seed)")
    }
  }

  /// Makes the secret, moves it through a box, and scans before it is destroyed.
  private func occurrencesWhileHeld(seed: UInt64, size: Int) throws -> Int {
    let box = SecretBox(patternSecret(seed: seed, size: size))
    let held = box.take()
    defer { _ = held }
    return try MemoryScan.occurrences(seed: seed, size: size)
  }

  /// The kernel allows a process about 65,000 mappings: what sends many secrets must not use them up.
  @Test(arguments: [(1, 40_000), (20_000, 400)])
  func manySecretsTakeFewMappings(_ size: Int, _ count: Int) throws {
    let before = try MemoryScan.mappingCount()
    var held: [SecretBox] = []
    for number in 0..<count {
      held.append(SecretBox(secret([UInt8](repeating: UInt8(number % 256), count: size))))
    }
    #expect(try MemoryScan.mappingCount() < before + 500)
    for (number, box) in held.enumerated() {
      guard let opened = box.take() else {
        Issue.record("secret \(number) is gone")
        return
      }
      #expect(bytes(opened) == [UInt8](repeating: UInt8(number % 256), count: size))
    }
  }

  /// On an arena of its own: other suites hold blocks of the process's one meanwhile.
  @Test func emptyRegionsAreGivenBackButTheFirstAndOneMore() {
    var arena = SecretArena()
    for size in [64, 2048, 4097, SecretRegion.byteCount] {
      var blocks: [UInt] = []
      while arena.regionCount <= 3, let block = arena.take(size) { blocks.append(block) }
      #expect(arena.regionCount == 4)
      for block in blocks {
        let isItsOwn = arena.giveBack(block, size)
        #expect(isItsOwn)
      }
      #expect(arena.regionCount == 2)
    }
  }

  @Test func largerThanARegionIsNotTheArenas() {
    var arena = SecretArena()
    let block = arena.take(SecretRegion.byteCount + 1)
    #expect(block == nil)
    let isItsOwn = arena.giveBack(16, 64)
    #expect(!isItsOwn)
    for size in [SecretRegion.byteCount - 16, SecretRegion.byteCount, 1 << 20] {
      #expect(
        bytes(secret([UInt8](repeating: 7, count: size))) == [UInt8](repeating: 7, count: size)
      )
    }
  }

  @Test func emptiedPagesServeAnotherSize() throws {
    var region = try #require(SecretRegion())
    for size in [64, 4096, 256, 12_288, 2048, 65_536, 128] {
      var blocks: [UInt] = []
      while let block = region.take(size) { blocks.append(block) }
      let room = SecretRegion.pageCount / max(1, size / SecretRegion.pageSize)
      let each = max(1, SecretRegion.pageSize / size)
      #expect(blocks.count == room * each, "\(size)")
      #expect(Set(blocks).count == blocks.count)
      for block in blocks { region.giveBack(block, size) }
      let isEmpty = region.isEmpty
      #expect(isEmpty)
    }
    region.unmap()
  }

  /// Blocks of all sizes, taken and returned in any order, never overlap.
  @Test func blocksNeverOverlap() throws {
    var region = try #require(SecretRegion())
    var generator = SeededGenerator(seed: seed)
    var held: [(address: UInt, size: Int)] = []
    for _ in 0..<5000 {
      if Bool.random(using: &generator), let index = held.indices.randomElement(using: &generator) {
        let block = held.remove(at: index)
        region.giveBack(block.address, block.size)
        continue
      }
      let size = 1 << Int.random(in: 0...14, using: &generator)
      guard let address = region.take(size) else { continue }
      let overlaps = held.contains {
        address < $0.address + UInt($0.size) && $0.address < address + UInt(size)
      }
      #expect(!overlaps, "seed \(seed)")
      #expect(region.holds(address) && region.holds(address + UInt(size) - 1), "seed \(seed)")
      held.append((address, size))
    }
    for block in held { region.giveBack(block.address, block.size) }
    let isEmpty = region.isEmpty
    #expect(isEmpty, "seed \(seed)")
    region.unmap()
  }

  @Test func manyThreadsNeverShareABlock() {
    let seed = self.seed
    let wrong = Atomic(0)
    let threads = (0..<8).map { number in
      TestThread {
        var generator = SeededGenerator(seed: seed &+ UInt64(number))
        for _ in 0..<1000 {
          let mark = UInt8.random(in: 1...255, using: &generator)
          let size = Int.random(in: 0...300, using: &generator)
          let first = secret([UInt8](repeating: mark, count: size))
          let second = secret([UInt8](repeating: ~mark, count: size))
          if bytes(first).contains(where: { $0 != mark }) { wrong.add(1, ordering: .relaxed) }
          if bytes(second).contains(where: { $0 == mark }) { wrong.add(1, ordering: .relaxed) }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong.load(ordering: .relaxed) == 0, "seed \(seed)")
  }

  @Test func freedBlocksComeBackZeroed() {
    for size in [1, 48, 112, 4080, 9000] {
      _ = SecretBox(secret([UInt8](repeating: 0xAA, count: size)))
      var fresh = Secret(capacity: size)
      let content = wholeContent(&fresh)
      #expect(content.allSatisfy { $0 == 0 })
    }
  }

  @Test func saysWhetherTheKernelLockedTheMemory() {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(8), &limit)  // RLIMIT_MEMLOCK
    // With room for the arena and for what the other tests map, locking must have been granted.
    if geteuid() == 0 || limit.rlim_cur >= 64 << 20 { #expect(Secret.isLocked) }
  }

  @Test(arguments: [32, 100_000]) func isLeftOutOfCoreFilesAndOfChildren(_ size: Int) throws {
    let held = patternSecret(seed: seed, size: size)
    let place = unsafe held.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
    let flags = try MemoryScan.flags(at: place)
    // Left out of core files, and wiped in forked children.
    #expect(flags.isSuperset(of: ["dd", "wf"]), "\(flags)")
    _ = consume held
    let ordinary = [UInt8](repeating: 1, count: size)
    let elsewhere = unsafe ordinary.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
    #expect(try MemoryScan.flags(at: elsewhere).isDisjoint(with: ["dd", "wf"]))
  }

  @Test func theBoxGivesItsSecretOnce() {
    let box = SecretBox(secret([5]))
    let given = [isTaken(box), isTaken(box)]
    #expect(given == [true, false])
  }

  @Test func onlyOneThreadTakesFromTheBox() {
    for _ in 0..<50 {
      let box = SecretBox(secret([5]))
      let taken = Atomic(0)
      let threads = (0..<4).map { _ in
        TestThread { if isTaken(box) { taken.add(1, ordering: .relaxed) } }
      }
      for thread in threads { thread.join() }
      #expect(taken.load(ordering: .relaxed) == 1)
    }
  }

  private func isTaken(_ box: SecretBox) -> Bool {
    switch box.take() {
    case .some: true
    case .none: false
    }
  }

  private func patternSecret(seed: UInt64, size: Int) -> Secret {
    var generator = SeededGenerator(seed: seed)
    var made = Secret(capacity: size)
    for _ in 0..<size { _ = made.append(UInt8(truncatingIfNeeded: generator.next())) }
    return made
  }
}
