import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct RecordFormatTests {
  private var version: RecordVersion {
    var world = World(.ascending)
    do throws(HubAlarm) { try world.apply(.put(1, key: 0)) } catch { Issue.record("\(error)") }
    guard let version = world.devices[1].replica.shown(World.names[0]) else {
      preconditionFailure("what was put is shown")
    }
    return version
  }

  @Test func paddingComesOffAndTellsLittle() {
    var sizes: Set<Int> = []
    for count in 0...4096 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let padded = RecordFormat.padded(bytes)
      sizes.insert(padded.count)
      #expect(padded.count > count && padded.count <= max(128, count + count / 8 + 2))
      #expect(RecordFormat.unpaddedCount(padded.span) == count)
    }
    #expect(sizes.count < 50)
  }

  @Test func aPaddingThatNobodyMakesIsRefused() {
    let padded = RecordFormat.padded([5, 6])
    #expect(RecordFormat.unpaddedCount((padded + [0]).span) == nil)
    #expect(RecordFormat.unpaddedCount(Array(padded.dropLast()).span) == nil)
    #expect(RecordFormat.unpaddedCount([UInt8](repeating: 0, count: 128).span) == nil)
    #expect(RecordFormat.unpaddedCount(([2] + padded.dropFirst(1).map { _ in 0 }).span) == nil)
    #expect(RecordFormat.unpaddedCount([UInt8]().span) == nil)
  }

  @Test func aHeadComesBackWithFieldsThatNobodyKnows() throws {
    let head = RecordHead(version, fields: [7: [1], 3: [], 900: [9, 9]])
    #expect(RecordHead(head.bytes) == head)
    for count in 0..<head.bytes.count {
      #expect(RecordHead(Array(head.bytes.prefix(count))) == nil)
    }
    #expect(RecordHead(head.bytes + [0]) == nil)
    let changed = RecordHead.fields([3: [4]], known: [3, 7], over: head.fields)
    #expect(changed == [3: [4], 900: [9, 9]])
  }

  @Test func aBodyIsTakenApartAsItWasPutTogether() {
    let part = [UInt8](repeating: 1, count: RecordFormat.overhead + 3)
    let body = RecordFormat.body(head: part, secret: part)
    #expect(RecordFormat.parts(of: body) == .parts(head: part, secret: part))
    #expect(RecordFormat.parts(of: [2] + body.dropFirst()) == .newer)
    #expect(RecordFormat.parts(of: [0] + body.dropFirst()) == .damaged)
    #expect(RecordFormat.parts(of: []) == .damaged)
    #expect(RecordFormat.parts(of: Array(body.prefix(20))) == .damaged)
    let large = [UInt8](repeating: 1, count: RecordFormat.bodyMax + 1)
    #expect(RecordFormat.parts(of: large) == .damaged)
  }

  @Test func everyPlaceHasAContextOfItsOwn() throws {
    let notes = try #require(ZoneName("notes"))
    var contexts: Set<[UInt8]> = []
    for circle in [CircleFixture.digest(1), CircleFixture.digest(2)] {
      for zone in [ZoneName.items, notes] {
        for name in World.names {
          for (epoch, keyClass) in [
            (1 as UInt32, ZoneKeyClass.whenUnlocked), (2, .afterFirstUnlock),
          ] {
            let place = RecordPlace(
              circle: circle,
              zone: zone,
              name: name,
              epoch: epoch,
              keyClass: keyClass
            )
            for part in RecordFormat.Part.allCases { contexts.insert(place.context(part)) }
          }
        }
      }
    }
    #expect(contexts.count == 2 * 2 * 3 * 2 * 2)
  }

  @Test func itemsThatStayOnTheirDeviceHaveNoClassHere() {
    #expect(ZoneKeyClass(.whenUnlocked) == .whenUnlocked)
    #expect(ZoneKeyClass(.afterFirstUnlock) == .afterFirstUnlock)
    #expect(ZoneKeyClass(.always) == .afterFirstUnlock)
    #expect(ZoneKeyClass(.whenPasscodeSetThisDeviceOnly) == nil)
    #expect(ZoneKeyClass(.whenUnlockedThisDeviceOnly) == nil)
    #expect(ZoneKeyClass(.afterFirstUnlockThisDeviceOnly) == nil)
    #expect(ZoneKeyClass(.alwaysThisDeviceOnly) == nil)
  }
}
