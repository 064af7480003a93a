import LocalAuthCore
import LocalAuthFiles
import LocalAuthJSON

/// A part of a protected file that is not what was written.
enum DamagedPart: Hashable {
  /// One of the two headers.
  case header(slot: Int)
  /// Chunks of the content, by the bytes in them.
  case content(Range<Int>, chunks: ClosedRange<Int>)
  /// Bytes at the end that are not there, from an offset.
  case missing(Range<Int>)
  /// Bytes behind the end.
  case extra(Int)
  /// Chunks from another time of the file.
  case mixture

  /// What it is, as a part of a sentence.
  var text: String {
    switch self {
    case .header(let slot): "header slot \(slot)"
    case .content(let bytes, let chunks):
      "bytes \(bytes.lowerBound) to \(bytes.upperBound - 1), "
        + (chunks.count == 1
          ? "chunk \(chunks.lowerBound)" : "chunks \(chunks.lowerBound) to \(chunks.upperBound)")
    case .missing(let bytes):
      "bytes \(bytes.lowerBound) to \(bytes.upperBound - 1), which are missing"
    case .extra(let count): "\(CountText.of(count, "byte")) behind its end"
    case .mixture: "some of its chunks, which are from another time of the file"
    }
  }

  func write(_ writer: inout JSONWriter<JSONGrowingBuffer>) {
    switch self {
    case .header(let slot):
      writer.member("part", "header")
      writer.member("slot", Int64(slot))
    case .content(let bytes, let chunks):
      writer.member("part", "content")
      writer.member("offset", Int64(bytes.lowerBound))
      writer.member("length", Int64(bytes.count))
      writer.member("firstChunk", Int64(chunks.lowerBound))
      writer.member("chunks", Int64(chunks.count))
    case .missing(let bytes):
      writer.member("part", "missing")
      writer.member("offset", Int64(bytes.lowerBound))
      writer.member("length", Int64(bytes.count))
    case .extra(let count):
      writer.member("part", "extra")
      writer.member("length", Int64(count))
    case .mixture: writer.member("part", "mixture")
    }
  }
}

extension FileExamination {
  /// All that is damaged, what is at the beginning of the file first.
  var parts: [DamagedPart] {
    var parts = flaws.headers.map { DamagedPart.header(slot: $0) } + contentParts
    if flaws.missing > 0 { parts.append(.missing(length..<length + flaws.missing)) }
    if flaws.extra > 0 { parts.append(.extra(flaws.extra)) }
    // A chunk whose end is damaged makes the digest of all differ, too.
    if flaws.isMixed, damaged.isEmpty { parts.append(.mixture) }
    return parts
  }

  private var contentParts: [DamagedPart] {
    damaged.map { .content($0, chunks: chunks(of: $0)) }
  }

  /// What is damaged behind a sentence that says that something is, with what copies the rest; empty for nothing.
  fileprivate var sentence: String {
    let parts = parts.filter { if case .header = $0 { false } else { true } }
    guard let first = parts.first else { return "" }
    let more =
      parts.count > 1
      ? ", and \(CountText.of(parts.count - 1, "more part")), which 'file verify' names" : ""
    let isOpened = flaws.missing == 0 && flaws.extra == 0 && !flaws.isMixed
    let hasWholePart = damaged.reduce(0) { $0 + $1.count } < length
    let isEndWhole = damaged.last?.upperBound != length || !isSealed
    let advice =
      isOpened && hasWholePart && isEndWhole
      ? " 'file export --skip-damaged' copies the rest." : ""
    return " Damaged: \(first.text)\(more).\(advice)"
  }
}

extension Failure {
  /// Why the file at `path` cannot be used, and what of it is damaged if something is.
  ///
  /// - Parameters:
  ///   - failure: What happened.
  ///   - path: The path that is shown.
  ///   - files: What looks for the damage.
  ///   - reached: The path that leads to the file, if that is another one.
  init(
    _ failure: FileFailure,
    _ path: String,
    examinedIn files: ProtectedFiles,
    reached: String? = nil
  ) {
    self.init(failure, path)
    guard failure == .file(.damaged) else { return }
    do throws(FileFailure) {
      message += try files.examine(reached ?? path).sentence
    } catch {
      if error == .file(.damaged) { message += " Neither of its headers is whole." }
    }
  }

  /// Why the protected file at `path` cannot be replaced, and what of it is damaged; it is what it was.
  init(
    replacing path: String,
    _ failure: FileFailure,
    examinedIn files: ProtectedFiles,
    reached: String? = nil
  ) {
    self.init(replacing: path, failure)
    guard failure == .file(.damaged) else { return }
    self.init(failure, path, examinedIn: files, reached: reached)
    message += " The file is unchanged."
  }

  /// Runs `body`, which reads the protected file at `path` to replace it.
  static func examining<Value: ~Copyable>(
    _ path: String,
    _ files: ProtectedFiles,
    _ body: () throws(FileFailure) -> Value
  ) throws(Failure) -> Value {
    do throws(FileFailure) { return try body() } catch {
      throw Failure(replacing: path, error, examinedIn: files)
    }
  }
}
