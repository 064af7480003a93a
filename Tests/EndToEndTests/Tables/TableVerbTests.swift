import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl table` as somebody types it.
@Suite struct TableVerbTests {
  private let device: SecretDevice

  init() throws { device = try SecretDevice() }

  private func table(_ words: String...) throws -> RunningProgram.Report {
    try device.authctl(["table"] + words)
  }

  private func json(_ words: String...) throws -> JSONValue {
    let run = try device.authctl(["--json", "table"] + words)
    return try JSONValue(parsing: Array(run.output.utf8).span)
  }

  @Test func aRowIsSetReadListedAndRemoved() throws {
    let set = try table("set", "notes", "milk", "title=Oat milk", "count:int=2")
    #expect(set.status == 0 && set.errors.hasSuffix("milk of notes was written.\n"), "\(set)")
    let again = try table("set", "notes", "milk", "count:int=2")
    #expect(again.status == 0 && again.errors.contains("was so already"), "\(again)")
    #expect(
      try table("get", "notes", "milk").output == "count  int     2\ntitle  string  Oat milk\n"
    )
    #expect(try table("get", "notes", "milk", "title").output == "Oat milk\n")
    #expect(try table("get", "notes", "milk", "other").status == 20)
    #expect(try table("list").output == "notes  milk  count=2 title=Oat milk\n")
    #expect(try table("list", "other").output.isEmpty)
    let removed = try table("remove", "notes", "milk", "nothing")
    #expect(removed.status == 0 && removed.errors.contains("1 row of notes removed"), "\(removed)")
    let gone = try table("get", "notes", "milk")
    #expect(gone.status == 20 && gone.errors.contains("table list"), "\(gone)")
    #expect(try table("list").output.isEmpty)
  }

  @Test func columnsThatAreNotNamedStay() throws {
    _ = try table("set", "notes", "milk", "title=Milk", "count:int=2")
    _ = try table("set", "notes", "milk", "count:null=")
    #expect(try table("get", "notes", "milk").output == "count  null\ntitle  string  Milk\n")
    #expect(try table("list").output == "notes  milk  count:null= title=Milk\n")
    let null = try table("get", "notes", "milk", "count")
    #expect(null.status == 0 && null.output.isEmpty && null.errors.contains("is null"), "\(null)")
    _ = try table("set", "notes", "milk", "count=")
    #expect(try table("get", "notes", "milk", "count").output == "\n")
  }

  @Test(arguments: [
    ("a=", "a  string"), ("a==", "a  string  ="), ("a:b:int=-1", "a:b  int  -1"),
    ("a:real=inf", "a  real  inf"), ("a:data=AP8=", "a  data  AP8="),
    ("a:string=x y", "a  string  x y"),
  ])
  func eachTypeIsPrintedAsItIsTyped(_ typed: String, _ printed: String) throws {
    let set = try table("set", "t", "r", typed)
    #expect(set.status == 0, "\(set)")
    #expect(try table("get", "t", "r").output == printed + "\n")
  }

  @Test(arguments: [
    ("title", "has no '='"), ("count:int=1.5", "none of the type int: give a whole number"),
    ("a:date=2026-01-01", "'date' is none of them"), ("a:null=1", "give 'a:null='"),
    ("=x", "A column has a name"), ("a:int=", "none of the type int"),
  ])
  func whatIsNoAssignmentSaysWhatOneLooksLike(_ typed: String, _ said: String) throws {
    let set = try table("set", "t", "r", "good=1", typed)
    #expect(set.status == 2 && set.errors.contains(said), "\(set)")
    #expect(try table("get", "t", "r").status == 20, "nothing was written")
  }

  @Test func whatIsNoRowOrTooLongSaysSo() throws {
    #expect(try table("set", "t", "r").status == 2)
    #expect(try table("remove", "t").status == 2)
    #expect(try table("set", "", "r", "a=1").status == 2)
    #expect(try table("set", "t", "two\nlines", "a=1").status == 2)
    let long = try table("set", "t", "r", "a=" + String(repeating: "x", count: 66_000))
    #expect(long.status == 24 && long.errors.contains("keep what is long as a document"), "\(long)")
    #expect(try table("get", "--group", "other", "t", "r").status == 23)
  }

  @Test func reportsHaveTypesAndValues() throws {
    _ = try table("set", "notes", "milk", "count:int=2", "old:null=")
    let got = try json("get", "notes", "milk")
    #expect(got["table"] == "notes" && got["row"] == "milk")
    #expect(got["columns"]?.elements.first?["value"] == 2)
    #expect(got["columns"]?.elements.last?["type"] == "null")
    #expect(try json("list")["items"]?.elements.first?["columns"] == got["columns"])
    #expect(try json("remove", "notes", "milk")["changed"] == 1)
  }

  @Test func aWatchTellsEachChangeOnceAsTheRowIsThen() throws {
    let watch = try WatchingProgram(device.words + ["table", "watch"]) { number in
      _ = try table("set", "t", "first", "n:int=\(number)")
    }
    let before = watch.lines.count
    _ = try table("set", "t", "second", "n:int=1")
    _ = try table("set", "t", "second", "n:int=1")
    try watch.wait(for: "changed: second of t: n=1\n")
    _ = try table("remove", "t", "second")
    try watch.wait(for: "removed: second of t\n")
    let told = watch.lines.dropFirst(before).filter { $0.contains("second") }
    #expect(told.count == 2, "what is there already is not told: \(told)")
    try watch.end()
  }

  @Test func aWatchForProgramsBeginsWithTheRowsThatThereAre() throws {
    _ = try table("set", "t", "old", "n:int=1")
    _ = try table("set", "t", "gone", "n:int=1")
    _ = try table("remove", "t", "gone")
    let watch = try WatchingProgram(device.words + ["--json", "table", "watch"]) { _ in
      _ = try table("get", "t", "old")
    }
    try watch.wait(for: #""change":"current""#)
    #expect(watch.lines.count == 2 && watch.lines[0].contains(#""row":"old""#))
    _ = try table("set", "t", "new", "n:int=1")
    try watch.wait(for: #""row":"new""#)
    #expect(watch.lines.count == 3)
    try watch.end()
  }

  @Test func aLongValueAndOneOfSeveralLinesAreReadAsTheyWereWritten() throws {
    let long = String(repeating: "v", count: 5000)
    #expect(try table("set", "n", "big", "x=\(long)", "y=a\nb").status == 0)
    #expect(try table("get", "n", "big").output == "x  string  \(long)\ny  string  a b\n")
    #expect(try table("get", "n", "big", "x").output == long + "\n")
    #expect(try table("get", "n", "big", "y").output == "a\nb\n")
  }

  @Test func aNumberThatAColumnDoesNotKeepIsRefused() throws {
    for assignment in ["x:real=1e400", "x:real=-1e999", "x:real=nan", "x:int=9223372036854775808"] {
      let run = try table("set", "n", "a", assignment)
      #expect(run.status == 2 && !run.errors.isEmpty, "\(run)")
    }
    #expect(try table("get", "n", "a").status == 20, "nothing was written")
    #expect(try table("set", "n", "a", "x:real=-inf", "y:int=-5").status == 0)
    #expect(try table("get", "n", "a").output == "x  real  -inf\ny  int   -5\n")
  }
}
