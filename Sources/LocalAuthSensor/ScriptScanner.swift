/// Reads the events of a script in sequence; it copies nothing but words.
struct ScriptScanner {
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  private var count = 0
  /// Whether an event was read last, so that a comma may follow.
  private var followsEvent = false

  /// Rejects a source that is too long, before any of it is read.
  func admit(_ length: Int) throws(ScriptError) {
    guard length <= SensorScript.longest else { throw error(.tooLong) }
  }

  /// Returns the next event; nil at the end.
  mutating func next(in source: Span<UInt8>) throws(ScriptError) -> ScriptEvent? {
    guard try skipToEvent(in: source) else { return nil }
    guard count < SensorScript.mostEvents else { throw error(.tooManyEvents) }
    let event = try event(in: source)
    count += 1
    followsEvent = true
    try finishEvent(in: source)
    return event
  }

  // MARK: Between events

  private mutating func skipToEvent(in source: Span<UInt8>) throws(ScriptError) -> Bool {
    while offset < source.count {
      switch source[offset] {
      case .space, .tab, .carriageReturn: offset += 1
      case .newline:
        startLine()
        followsEvent = false
      case .hash: skipComment(in: source)
      case .comma:
        guard followsEvent else { throw error(.emptyEvent) }
        followsEvent = false
        offset += 1
      default: return true
      }
    }
    return false
  }

  /// Checks that an event is followed by a separator, a comment or the end.
  private mutating func finishEvent(in source: Span<UInt8>) throws(ScriptError) {
    skipBlanks(in: source)
    guard offset < source.count else { return }
    switch source[offset] {
    case .comma, .newline: return
    case .hash where offset > 0 && source[offset - 1].isBlank: return
    case let byte where byte.isControl: throw error(.controlCharacter, before: 1)
    default: throw error(.textAfterQuote, before: 1)
    }
  }

  private mutating func startLine() {
    offset += 1
    line += 1
    lineStart = offset
  }

  private mutating func skipComment(in source: Span<UInt8>) {
    while offset < source.count, source[offset] != .newline { offset += 1 }
  }

  private mutating func skipBlanks(in source: Span<UInt8>) {
    while offset < source.count, source[offset].isBlank { offset += 1 }
  }

  // MARK: Events

  private mutating func event(in source: Span<UInt8>) throws(ScriptError) -> ScriptEvent {
    let start = offset
    let range = wordRange(in: source)
    if let own = ScriptWord.table.word(in: source, range) {
      return try event(own, from: start, in: source)
    }
    guard let command = FprintWord.table.word(in: source, range) else {
      throw source[start].isControl ? error(.controlCharacter) : error(.unknownWord, at: start)
    }
    skipBlanks(in: source)
    let argument = text(in: source, try plainRange(in: source))
    guard let event = command.event(argument) else {
      throw error(.badCommand(command), at: start)
    }
    return event
  }

  private mutating func event(
    _ word: ScriptWord,
    from start: Int,
    in source: Span<UInt8>
  ) throws(ScriptError) -> ScriptEvent {
    guard offset < source.count, source[offset] == .colon else {
      if let event = word.event() {
        guard try plainRange(in: source).isEmpty else { throw error(.unknownWord, at: start) }
        return event
      }
      throw error(.missingArgument(word), at: start)
    }
    offset += 1
    guard word.argument != .never else { throw error(.unexpectedArgument(word), at: start) }
    if word == .set { return try setting(from: start, in: source) }
    let argument = try argumentRange(in: source)
    guard !argument.range.isEmpty || argument.isQuoted else {
      throw error(.missingArgument(word), at: start)
    }
    if let event = word.event(at: argument.range) { return event }
    guard let event = word.event(text(in: source, argument.range)) else {
      throw error(.badArgument(word), at: start)
    }
    return event
  }

  private mutating func setting(
    from start: Int,
    in source: Span<UInt8>
  ) throws(ScriptError) -> ScriptEvent {
    skipBlanks(in: source)
    let range = wordRange(in: source)
    guard let key = SettingKey.table.word(in: source, range), offset < source.count,
      source[offset] == .equals
    else { throw error(.badArgument(.set), at: start) }
    offset += 1
    let value = text(in: source, try argumentRange(in: source).range)
    guard let event = ScriptEvent.setting(key, value) else {
      throw error(.badSetting(key), at: start)
    }
    return event
  }

  // MARK: Ranges

  /// Reads the word that begins here.
  private mutating func wordRange(in source: Span<UInt8>) -> Range<Int> {
    let start = offset
    while offset < source.count, source[offset].isPartOfWord { offset += 1 }
    return start..<offset
  }

  /// Reads the rest of the event, quoted or not.
  private mutating func argumentRange(
    in source: Span<UInt8>
  ) throws(ScriptError) -> (range: Range<Int>, isQuoted: Bool) {
    skipBlanks(in: source)
    guard offset < source.count, source[offset] == .quote || source[offset] == .apostrophe else {
      return (try plainRange(in: source), false)
    }
    let quote = source[offset]
    let opening = offset
    offset += 1
    let start = offset
    while offset < source.count, source[offset] != quote {
      guard source[offset] != .newline else { throw error(.unclosedQuote, at: opening) }
      guard !source[offset].isControl else { throw error(.controlCharacter) }
      offset += 1
    }
    guard offset < source.count else { throw error(.unclosedQuote, at: opening) }
    offset += 1
    return (start..<(offset - 1), true)
  }

  /// Reads up to the next comma, line end or comment, without trailing blanks.
  private mutating func plainRange(in source: Span<UInt8>) throws(ScriptError) -> Range<Int> {
    let start = offset
    var end = offset
    while offset < source.count, source[offset] != .comma, source[offset] != .newline {
      if source[offset] == .hash, offset > 0, source[offset - 1].isBlank { break }
      if !source[offset].isBlank {
        guard !source[offset].isControl else { throw error(.controlCharacter) }
        end = offset + 1
      }
      offset += 1
    }
    return start..<end
  }

  private func text(in source: Span<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: range.map { source[$0] }, as: UTF8.self)
  }

  private func error(_ reason: ScriptError.Reason) -> ScriptError { error(reason, at: offset) }

  /// Returns the error at this place, in the last event read.
  private func error(_ reason: ScriptError.Reason, before: Int) -> ScriptError {
    ScriptError(
      reason: reason,
      event: count + 1 - before,
      line: line,
      column: offset - lineStart + 1
    )
  }

  private func error(_ reason: ScriptError.Reason, at place: Int) -> ScriptError {
    ScriptError(reason: reason, event: count + 1, line: line, column: place - lineStart + 1)
  }
}
