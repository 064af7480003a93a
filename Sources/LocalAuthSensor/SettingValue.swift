import LocalAuthCore

/// A setting value that can be written as text.
protocol SettingValue {
  static var allowed: String { get }
  init?(settingText: String)
  var settingText: String { get }
}

extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  static var allowed: String {
    "one of " + allCases.map(\.rawValue).joined(separator: ", ")
  }
  init?(settingText: String) { self.init(rawValue: settingText) }
  var settingText: String { rawValue }
}

extension SensorStrength: SettingValue {}
extension SensorForm: SettingValue {}
extension ScanType: SettingValue {}

extension Bool: SettingValue {
  static var allowed: String { "true or false" }
  init?(settingText: String) { self.init(settingText) }
  var settingText: String { description }
}

extension Duration: SettingValue {
  static var allowed: String { DurationText.allowed }
  init?(settingText: String) {
    guard let duration = DurationText.parse(settingText) else { return nil }
    self = duration
  }
  var settingText: String { DurationText.format(self) }
}

extension UInt64: SettingValue {
  static var allowed: String { "a whole number from 0 to \(UInt64.max)" }
  init?(settingText: String) { self.init(settingText) }
  var settingText: String { String(self) }
}

extension Optional: SettingValue where Wrapped: SettingValue {
  static var allowed: String { "none, or \(Wrapped.allowed)" }
  init?(settingText: String) {
    guard settingText != "none" else {
      self = .none
      return
    }
    guard let value = Wrapped(settingText: settingText) else { return nil }
    self = value
  }
  var settingText: String { self?.settingText ?? "none" }
}

extension Latency: SettingValue {
  static var allowed: String {
    "a duration up to 1h (400ms) or the two ends of a range (100ms,900ms)"
  }
  init?(settingText: String) {
    let ends = settingText.split(separator: ",", omittingEmptySubsequences: false)
    guard (1...2).contains(ends.count), let shortest = DurationText.parse(ends[0]),
      let longest = DurationText.parse(ends[ends.count - 1])
    else { return nil }
    self.init(from: shortest, through: longest)
  }
  var settingText: String {
    shortest == longest
      ? DurationText.format(shortest)
      : "\(DurationText.format(shortest)),\(DurationText.format(longest))"
  }
}

extension FaultInjection: SettingValue {
  static var allowed: String {
    let words = SensorFault.named.map(\.word).joined(separator: ", ")
    return "none, next:FAULT, always:FAULT or FAULT (always), where FAULT is \(words) or vendor-N"
  }
  init?(settingText: String) {
    if settingText == "none" {
      self = .none
    } else if settingText.hasPrefix("next:") {
      guard let fault = SensorFault(word: String(settingText.dropFirst(5))) else { return nil }
      self = .next(fault)
    } else {
      let word = settingText.hasPrefix("always:") ? settingText.dropFirst(7) : settingText[...]
      guard let fault = SensorFault(word: String(word)) else { return nil }
      self = .always(fault)
    }
  }
  var settingText: String {
    switch self {
    case .none: "none"
    case .next(let fault): "next:\(fault.word)"
    case .always(let fault): "always:\(fault.word)"
    }
  }
}

extension AcquiredSequence: SettingValue {
  static var allowed: String {
    let words = Acquisition.named.map(\.word).joined(separator: ", ")
    return "1 to 64 words with commas between, of good, start, \(words) and vendor-N"
  }
  init?(settingText: String) {
    guard let steps = parseList(settingText, AcquiredStep.init(word:)) else { return nil }
    self.init(steps)
  }
  var settingText: String { steps.map(\.word).joined(separator: ",") }
}

extension [EnrolmentSample]: SettingValue {
  static var allowed: String {
    let words = EnrolmentSample.allCases.map(\.word).joined(separator: ", ")
    return "none, or 1 to 64 words with commas between, of \(words) and the acquisition words"
  }
  init?(settingText: String) {
    guard settingText != "none" else {
      self = []
      return
    }
    guard let samples = parseList(settingText, EnrolmentSample.init(word:)), samples.count <= 64
    else { return nil }
    self = samples
  }
  var settingText: String { isEmpty ? "none" : map(\.word).joined(separator: ",") }
}

extension PrintTable: SettingValue {
  static var allowed: String {
    "none, or up to \(limit) pairs LABEL=FINGER with commas between (A=right-index,B=left-thumb)"
  }
  init?(settingText: String) {
    self.init()
    guard settingText != "none" else { return }
    guard let pairs = parseList(settingText, Self.pair), pairs.count <= Self.limit else {
      return nil
    }
    for (label, finger) in pairs {
      guard self[label] == nil else { return nil }
      assign(label, to: finger)
    }
  }
  var settingText: String {
    guard !entries.isEmpty else { return "none" }
    return entries.map { "\($0.label.word)=\($0.finger.rawValue)" }.joined(separator: ",")
  }

  private static func pair(_ text: String) -> (PrintLabel, Finger)? {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let label = PrintLabel(String(parts[0])),
      let finger = Finger(named: String(parts[1]))
    else { return nil }
    return (label, finger)
  }
}

/// Parses the comma-separated elements of `text`; nil if any is invalid.
private func parseList<Element>(_ text: String, _ parse: (String) -> Element?) -> [Element]? {
  var elements: [Element] = []
  for part in text.split(separator: ",", omittingEmptySubsequences: false) {
    guard let element = parse(String(part)) else { return nil }
    elements.append(element)
  }
  return elements
}
