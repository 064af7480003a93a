import LocalAuthJSON
public import LocalAuthSensor

/// Reads the files in `policies/sensor`.
public enum SensorProfileFile {
  static let keys = [
    "$schema", "name", "summary", "source", "calibration", "descriptor", "population",
    "failureToAcquire", "failureToEnroll", "bpcer", "latency", "fingerState", "wolfShare",
    "lambShare", "iapar", "maximumPrints",
  ]
  static let calibrationKeys = ["dPrime", "falseMatch", "falseNonMatch"]
  static let latencyKeys = ["median", "percentile95"]
  static let fingerStateKeys = ["impairedShare", "impairedFor", "impairedMiss"]
  static let prints: ClosedRange<UInt32> = 1...1000

  /// Parses the profile in `bytes`; `file` appears only in errors.
  public static func parse(_ bytes: [UInt8], file: String) throws(PolicyError) -> SensorProfile {
    try read(bytes, file: file).profile
  }

  /// Parses a profile, a FIDO `BiometricAccuracyDescriptor`, or a metadata statement that has one.
  ///
  /// A profile made from a descriptor is named `file`.
  public static func parse(
    anyOf bytes: [UInt8],
    file: String
  ) throws(PolicyError) -> SensorProfile {
    let document = try PolicyDocument(bytes, file: file)
    guard let descriptor = try DescriptorObject.find(in: document) else {
      return try read(document).profile
    }
    return try descriptor.profile(name: PolicyText.oneLine(file))
  }

  static func read(
    _ bytes: [UInt8],
    file: String
  ) throws(PolicyError)
    -> (profile: SensorProfile, object: PolicyObject)
  {
    try read(try PolicyDocument(bytes, file: file))
  }

  private static func read(
    _ document: PolicyDocument
  ) throws(PolicyError) -> (profile: SensorProfile, object: PolicyObject) {
    let object = try document.object(document.root, named: "sensor profile", keys: keys)
    let head = try object.describe()
    let source = try object.required("source", head.source)
    var profile = try object.calibrated(name: head.name, source: source)
    try object.readPeople(&profile.model)
    try object.readPresentations(&profile.model)
    if let rate = try object.number("iapar", in: .share) {
      try object.checkAlone("iapar", beside: "iAPARThreshold")
      profile.fakes = try object.made("iapar") { () throws(ModelError) in
        try AttackSpecies(name: head.name, iapar: rate)
      }
    }
    if let count = try object.count("maximumPrints", in: prints) {
      try object.checkAlone("maximumPrints", beside: "maxTemplates")
      profile.maximumPrints = count
    }
    return (profile, object)
  }
}

extension PolicyObject {
  /// Calls `make` for the numbers at `key`, and reports its error at that place.
  func made<Made>(
    _ key: String,
    _ make: () throws(ModelError) -> Made
  ) throws(PolicyError) -> Made {
    do throws(ModelError) {
      return try make()
    } catch { throw document.error(.noSensor("\(error)"), at: value[key] ?? value) }
  }

  /// Returns the object at `key`, which may have only `keys`.
  func object(_ key: String, keys: [String]) throws(PolicyError) -> PolicyObject? {
    try find(key).map { (found) throws(PolicyError) in
      try document.object(found, named: key, keys: keys)
    }
  }

  fileprivate func checkAlone(_ key: String, beside other: String) throws(PolicyError) {
    guard find("descriptor") != nil else { return }
    throw contradiction("a descriptor says that itself, as \"\(other)\"; remove one", at: key)
  }

  /// Creates the profile from its rates or its descriptor, one of which is required.
  fileprivate func calibrated(
    name: String,
    source: String
  ) throws(PolicyError) -> SensorProfile {
    guard let descriptor = find("descriptor") else {
      let rates = try required(
        "calibration",
        try object("calibration", keys: SensorProfileFile.calibrationKeys)
      )
      return SensorProfile(name: name, source: source, scores: try scores(rates))
    }
    guard find("calibration") == nil else {
      throw contradiction(
        "\"calibration\" and \"descriptor\" both say the rates; remove one",
        at: "calibration"
      )
    }
    return try DescriptorObject(descriptor, in: document).profile(name: name, source: source)
  }

  private func scores(_ rates: PolicyObject) throws(PolicyError) -> ScoreModel {
    let distance = try rates.number("dPrime", in: .separation)
    let match = try rates.number("falseMatch", in: .rate)
    let miss = try rates.number("falseNonMatch", in: .rate)
    let scores = try made("calibration") { () throws(ModelError) -> ScoreModel? in
      switch (distance, match, miss) {
      case (let distance?, let match?, nil):
        try ScoreModel(separation: distance, falseMatch: match)
      case (let distance?, nil, let miss?):
        try ScoreModel(separation: distance, falseNonMatch: miss)
      case (nil, let match?, let miss?):
        ScoreModel(try OperatingPoint(falseMatch: match, falseNonMatch: miss))
      case (nil, _, _), (_?, nil, nil), (_?, _?, _?): nil
      }
    }
    guard let scores else {
      throw contradiction(
        "two rates make the third; allowed: two of dPrime, falseMatch and falseNonMatch",
        at: "calibration"
      )
    }
    return scores
  }

  /// Reads what precedes the comparison of scores: acquisition rates and latency.
  fileprivate func readPresentations(_ model: inout SensorModel) throws(PolicyError) {
    let usual = model.acquisition
    let acquire = try number("failureToAcquire", in: .part) ?? usual.failureToAcquire
    let enrol = try number("failureToEnroll", in: .share) ?? usual.failureToEnrol
    let fake = try number("bpcer", in: .share) ?? usual.takenForFake
    model.acquisition = try made("bpcer") { () throws(ModelError) in
      try AcquisitionRates(failureToAcquire: acquire, failureToEnrol: enrol, bpcer: fake)
    }
    guard let times = try object("latency", keys: SensorProfileFile.latencyKeys) else { return }
    let median = try times.required("median", try times.duration("median", in: .latency))
    let tail = try times.required(
      "percentile95",
      try times.duration("percentile95", in: .latency)
    )
    model.latency = try made("latency") { () throws(ModelError) in
      try LognormalLatency(median: median, percentile95: tail)
    }
  }
}
