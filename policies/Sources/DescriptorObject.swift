import LocalAuthJSON
import LocalAuthSensor

/// FIDO's `BiometricAccuracyDescriptor`, with its own key names.
struct DescriptorObject {
  static let keys = [
    "selfAttestedFRR", "selfAttestedFAR", "iAPARThreshold", "maxTemplates", "maxRetries",
    "blockSlowdown",
  ]
  private static let statement = "userVerificationDetails"

  private let object: PolicyObject

  init(_ value: JSONValue, in document: PolicyDocument) throws(PolicyError) {
    object = try document.object(value, named: "descriptor", keys: Self.keys)
  }

  /// Returns the descriptor that `document` consists of, or the only one of a metadata statement;
  /// nil if the document is neither.
  static func find(in document: PolicyDocument) throws(PolicyError) -> DescriptorObject? {
    let root = document.root
    if let details = root[statement] { return try only(in: details, of: document) }
    guard root["name"] == nil, keys.contains(where: { root[$0] != nil }) else { return nil }
    return try DescriptorObject(root, in: document)
  }

  /// Returns the sensor that the descriptor describes.
  func profile(name: String, source: String? = nil) throws(PolicyError) -> SensorProfile {
    let descriptor = AccuracyDescriptor(
      selfAttestedFRR: try object.number("selfAttestedFRR", in: .part),
      selfAttestedFAR: try object.number("selfAttestedFAR", in: .part),
      iAPARThreshold: try object.number("iAPARThreshold", in: .share),
      maxTemplates: try short("maxTemplates"),
      maxRetries: try short("maxRetries"),
      blockSlowdown: try short("blockSlowdown")
    )
    do throws(ModelError) {
      guard let source else { return try SensorProfile(name: name, describedBy: descriptor) }
      return try SensorProfile(name: name, source: source, describedBy: descriptor)
    } catch { throw object.document.error(.noSensor("\(error)"), at: object.value) }
  }

  private func short(_ key: String) throws(PolicyError) -> UInt16 {
    UInt16(try object.count(key, in: 0...UInt32(UInt16.max)) ?? 0)
  }

  /// Returns the only descriptor of a metadata statement.
  ///
  /// `details` is a list of combinations, each a list of verification methods. Everything but their
  /// `baDesc` is ignored.
  private static func only(
    in details: JSONValue,
    of document: PolicyDocument
  ) throws(PolicyError) -> DescriptorObject {
    let found = elements(details).flatMap(elements).compactMap { $0["baDesc"] }
    guard let first = found.first else {
      throw document.error(.noSensor("the statement describes no biometric sensor"), at: details)
    }
    if let other = found.first(where: { $0 != first }) {
      throw document.error(
        .noSensor("the statement describes several; allowed: one descriptor in a file of its own"),
        at: other
      )
    }
    return try DescriptorObject(first, in: document)
  }

  private static func elements(_ value: JSONValue) -> [JSONValue] {
    if case .array(let elements) = value.content { elements } else { [] }
  }
}
