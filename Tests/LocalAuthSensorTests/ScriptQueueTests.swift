import LocalAuthSensor
import Testing

@Suite struct ScriptQueueTests {
  private func queue(
    _ scripts: [(String, ScriptQueue<String>.Repetition)]
  ) throws
    -> ScriptQueue<String>
  {
    var queue = ScriptQueue<String>()
    for (script, repetition) in scripts { try queue.enqueue(script, repetition) }
    return queue
  }

  @Test func playsEachAsOftenAsAskedInOrder() throws {
    var queue = try queue([("a", .times(2)), ("b", .times(1))])
    #expect(queue.plannedCount == 3)
    #expect([queue.next(), queue.next(), queue.next(), queue.next()] == ["a", "a", "b", nil])
  }

  @Test func playsTheStandingScriptWheneverNoOtherWaits() throws {
    var queue = try queue([("always", .always), ("once", .times(1))])
    #expect(queue.plannedCount == nil)
    #expect([queue.next(), queue.next(), queue.next()] == ["once", "always", "always"])
    try queue.enqueue("newer", .always)
    #expect(queue.next() == "newer")
  }

  @Test(arguments: [0, -1, 10_001, .max]) func refusesOddNumbersOfTimes(_ times: Int) throws {
    var queue = try queue([])
    #expect(throws: ScriptQueue<String>.Refusal.badRepetition) {
      try queue.enqueue("a", .times(times))
    }
    #expect(queue.next() == nil)
  }

  @Test func refusesMoreThanItsLimit() throws {
    var queue = try queue(
      [(String, ScriptQueue<String>.Repetition)](
        repeating: ("a", .times(10_000)),
        count: ScriptQueue<String>.mostWaiting
      )
    )
    #expect(throws: ScriptQueue<String>.Refusal.full) { try queue.enqueue("b", .times(1)) }
    #expect(queue.plannedCount == 640_000)
    try queue.enqueue("c", .always)
  }

  @Test func forgetsEverything() throws {
    var queue = try queue([("a", .times(3)), ("b", .always)])
    queue.removeAll()
    #expect(queue.next() == nil)
    #expect(queue.plannedCount == 0)
  }

  @Test func saysWhatToDo() {
    #expect(ScriptQueue<String>.Refusal.full.description.contains("reset the sensor"))
    #expect(ScriptQueue<String>.Refusal.badRepetition.description.contains("10000"))
  }
}
