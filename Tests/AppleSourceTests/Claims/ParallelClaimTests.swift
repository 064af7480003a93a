import LocalAuthTestKit
import Security
import Testing

/// Section 2.1: calls are synchronous and may come from any thread; each is done whole or not at all.
@Suite struct ParallelClaimTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  private func statuses(
    _ count: Int,
    _ body: @escaping @Sendable (Int) -> OSStatus
  ) async -> [OSStatus] {
    await device.use {
      await withTaskGroup(of: OSStatus.self) { group in
        for number in 0..<count { group.addTask { body(number) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
  }

  @Test func oneOfManyEqualAdditionsSucceeds() async {
    let statuses = await statuses(20) { Items.add(Attributes.generic().holding("\($0)")) }
    #expect(statuses.filter { $0 == errSecSuccess }.count == 1)
    #expect(statuses.filter { $0 == errSecDuplicateItem }.count == 19)
    #expect(device.use { Items.count(.anyGeneric) } == 1)
  }

  @Test func oneOfManyDeletionsSucceeds() async {
    #expect(device.use { Items.add(.generic()) } == errSecSuccess)
    let statuses = await statuses(20) { _ in Items.delete(.generic()) }
    #expect(statuses.filter { $0 == errSecSuccess }.count == 1)
    #expect(statuses.filter { $0 == errSecItemNotFound }.count == 19)
  }

  @Test func updatesOfManyItemsAreSeenWhole() async throws {
    device.use {
      for account in ["a", "b", "c"] {
        #expect(Items.add(.generic(account).with([kSecAttrLabel: "0"])) == errSecSuccess)
      }
    }
    let statuses = await statuses(20) { number in
      guard number.isMultiple(of: 2) else {
        return Items.update(.anyGeneric, [kSecAttrLabel: "\(number)"])
      }
      let all = Items.copy(
        .anyGeneric.with([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true])
      )
      let labels = (all.result as? [[String: Any]])?.map { $0[kSecAttrLabel] as? String }
      return Set(labels ?? []).count == 1 ? errSecSuccess : errSecInternalError
    }
    #expect(statuses.allSatisfy { $0 == errSecSuccess })
  }

  @Test func plainThreadsMayCallToo() async {
    // A thread is no part of the task, and would mean the device of the process.
    let device = device
    let (statuses, feed) = AsyncStream<OSStatus>.makeStream()
    for number in 0..<8 {
      Thread.detachNewThread {
        feed.yield(device.use { Items.add(.generic("\(number)")) })
      }
    }
    var found: [OSStatus] = []
    for await status in statuses {
      found.append(status)
      if found.count == 8 { break }
    }
    #expect(found.allSatisfy { $0 == errSecSuccess })
    #expect(device.use { Items.count(.anyGeneric) } == 8)
  }
}
