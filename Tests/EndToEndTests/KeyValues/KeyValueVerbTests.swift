import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl kv` as somebody types it.
@Suite struct KeyValueVerbTests {
  private let device: SecretDevice

  init() throws { device = try SecretDevice() }

  private func kv(_ words: String..., input: String = "") throws -> RunningProgram.Report {
    try device.authctl(["kv"] + words, input: input)
  }

  private func json(_ words: String...) throws -> JSONValue {
    let run = try device.authctl(["--json", "kv"] + words)
    return try JSONValue(parsing: Array(run.output.utf8).span)
  }

  @Test func aTextIsSetReadListedAndRemoved() throws {
    let set = try kv("set", "theme", "dark")
    #expect(set.status == 0 && set.errors.hasSuffix("theme was set.\n"), "\(set)")
    #expect(try kv("get", "theme").output == "dark\n")
    #expect(try kv("list").output.contains("theme  string  dark"))
    let removed = try kv("remove", "theme", "nothing")
    #expect(
      removed.status == 0 && removed.errors.contains("theme, nothing have no value any more."),
      "\(removed)"
    )
    let gone = try kv("get", "theme")
    #expect(gone.status == 20 && gone.errors.contains("kv list"), "\(gone)")
  }

  @Test func anEmptyKeyIsNotSet() throws {
    let set = try kv("set", "", "v")
    #expect(set.status == 2 && set.errors.contains("The key is empty"), "\(set)")
    #expect(try kv("list").output.isEmpty)
  }

  @Test(arguments: [
    ("string", "", ""), ("string", "-", "-"),
    ("int", "-9223372036854775808", "-9223372036854775808"),
    ("real", "1.5", "1.5"), ("real", "nan", "nan"), ("real", "-inf", "-inf"),
    ("real", "-0.0", "-0.0"),
    ("bool", "true", "true"), ("date", "1900-02-28", "1900-02-28T00:00:00Z"),
    ("date", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"), ("data", "AP8=", "AP8="),
    ("data", "", ""),
    ("json", "{\"b\": [1, 2.5, true], \"a\": {}}", "{\"a\":{},\"b\":[1,2.5,true]}"),
    ("json", "[]", "[]"),
  ])
  func eachTypeIsPrintedAsItIsTyped(_ type: String, _ typed: String, _ printed: String) throws {
    let set = try device.authctl(["kv", "set", "k", "--type", type, "--", typed])
    #expect(set.status == 0, "\(set.errors)")
    #expect(try kv("get", "k").output == printed + "\n")
  }

  @Test(arguments: [
    ("int", "1.5"), ("int", "9223372036854775808"), ("real", "x"), ("bool", "yes"),
    ("date", "2026-02-30"),
    ("date", "tomorrow"), ("data", "A"), ("json", "{"), ("json", "null"), ("json", "[null]"),
    ("json", "{\"a\": 1, \"a\": 2}"),
  ])
  func whatIsNoValueOfItsTypeSaysWhatOneLooksLike(_ type: String, _ typed: String) throws {
    let set = try kv("set", "k", typed, "--type", type)
    #expect(set.status == 2 && set.errors.contains("no value of the type \(type): give "), "\(set)")
    #expect(try kv("get", "k").status == 20)
  }

  @Test func aValueComesFromStandardInputToo() throws {
    let large = String(repeating: "x", count: 500_000)
    let set = try kv("set", "large", "--stdin", input: large)
    #expect(set.status == 0, "\(set.errors)")
    #expect(try kv("get", "large").output == large + "\n")
    #expect(try kv("set", "k", "v", "--stdin", input: "w").status == 2)
    #expect(try kv("set", "k").status == 2)
  }

  @Test func reportsHaveTypeValueAndSize() throws {
    _ = try kv("set", "volume", "11", "--type", "int")
    let got = try json("get", "volume")
    #expect(got["value"] == 11 && got["type"] == "int" && got["key"] == "volume")
    #expect(got["bytes"]?.integer == 43 && got["revision"] == 1)
    let all = try json("list")
    #expect(all["items"]?.elements.first?["value"] == 11)
    #expect(try json("remove", "--all")["revision"] == 2)
    #expect(try json("list")["items"]?.elements.isEmpty == true)
  }

  @Test func whatCannotBeKeptSaysWhatToDo() throws {
    let long = try kv("set", String(repeating: "k", count: 65), "v")
    #expect(long.status == 2 && long.errors.contains("64 bytes"), "\(long)")
    let large = try kv("set", "k", "--stdin", input: String(repeating: "x", count: 1 << 20))
    #expect(large.status == 24 && large.errors.contains("kv remove"), "\(large)")
    let other = try kv("get", "k", "--store", "somebody.else")
    #expect(other.status == 23 && other.errors.contains("somebody.else"), "\(other)")
    let both = try kv("remove", "k", "--all")
    #expect(both.status == 2, "\(both)")
    #expect(try kv("remove").status == 2)
    _ = try device.authctl(["device", "reboot"])
    let locked = try kv("list")
    #expect(locked.status == 22 && locked.errors.contains("not unlocked"), "\(locked)")
  }

  @Test func aWatchTellsEachChangeOnce() throws {
    let watch = try WatchingProgram(device.words + ["kv", "watch"]) { number in
      _ = try kv("set", "first", "\(number)")
    }
    let before = watch.lines.count
    _ = try kv("set", "second", "x")
    _ = try kv("set", "second", "x")
    _ = try kv("remove", "first", "second")
    try watch.wait(for: "removed: first, second\n")
    let lines = watch.lines.dropFirst(before)
    #expect(lines.filter { $0 == "changed: second" }.count == 1, "what changes nothing is not told")
    try watch.end()
  }

  @Test func whatIsTypedIsKeptOrRefusedButNeverChanged() throws {
    #expect(try kv("set", "v", "-5", "--type", "int").status == 0)
    #expect(try kv("get", "v").output == "-5\n")
    #expect(try kv("set", "v", "1e400", "--type", "real").status == 2)
    #expect(try kv("set", "v", "--stdin", "--type", "int", input: "11\n").status == 0)
    #expect(try kv("get", "v").output == "11\n")
    let removed = try kv("remove", "nothing")
    #expect(removed.status == 0 && removed.errors.contains("nothing to remove"), "\(removed)")
  }
}
