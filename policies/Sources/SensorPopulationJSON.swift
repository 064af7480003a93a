import LocalAuthJSON
import LocalAuthSensor

/// How a file models the differences between people.
enum PopulationKind: String, CaseIterable {
  case probit
  case goats
  case beta

  /// The keys of the object besides `kind`.
  var keys: [String] {
    switch self {
    case .probit: ["correlation"]
    case .goats: ["share", "goatMiss", "othersMiss"]
    case .beta: ["mean", "correlation"]
    }
  }

  static let allKeys = ["kind", "correlation", "share", "goatMiss", "othersMiss", "mean"]
}

extension PolicyObject {
  /// Reads how people differ, as owners and as impostors, and how their fingers change over time.
  func readPeople(_ model: inout SensorModel) throws(PolicyError) {
    if let people = try population(model.scores) { model.population = people }
    let wolves = try number("wolfShare", in: .share) ?? model.impostors.wolfShare
    let lambs = try number("lambShare", in: .share) ?? model.impostors.lambShare
    model.impostors = try made(find("wolfShare") == nil ? "lambShare" : "wolfShare") {
      () throws(ModelError) in
      try Impostors(wolfShare: wolves, lambShare: lambs)
    }
    try readFingerState(&model)
  }

  private func readFingerState(_ model: inout SensorModel) throws(PolicyError) {
    guard let state = try object("fingerState", keys: SensorProfileFile.fingerStateKeys) else {
      return
    }
    let usual = model.fingerState
    let share = try state.number("impairedShare", in: .part) ?? usual.impairedShare
    let time = try state.duration("impairedFor", in: .impairment) ?? usual.impairedFor
    let miss = try state.number("impairedMiss", in: .rate)
    try made("fingerState") { () throws(ModelError) in
      model.fingerState = try FingerStateProcess(impairedShare: share, impairedFor: time)
      guard let miss else { return }
      model.scores.effects = try ScoreEffects.standard.withImpairedMiss(miss)
    }
  }

  private func population(_ scores: ScoreModel) throws(PolicyError) -> Population? {
    guard let found = find("population") else { return nil }
    let any = try document.object(found, named: "population", keys: PopulationKind.allKeys)
    let kind = try any.required("kind", try any.choice("kind", of: PopulationKind.self))
    let people = try document.object(found, named: "population", keys: ["kind"] + kind.keys)
    switch kind {
    case .probit: return try people.probit(scores)
    case .goats: return try people.goats()
    case .beta: return try people.beta(scores)
    }
  }

  private func probit(_ scores: ScoreModel) throws(PolicyError) -> Population {
    let correlation = try required("correlation", try number("correlation", in: .correlation))
    return try made("correlation") { () throws(ModelError) in
      .probit(try ProbitRates(miss: scores.falseNonMatch, correlation: correlation))
    }
  }

  private func goats() throws(PolicyError) -> Population {
    let share = try required("share", try number("share", in: .share))
    let goat = try required("goatMiss", try number("goatMiss", in: .share))
    let other = try required("othersMiss", try number("othersMiss", in: .share))
    return try made("share") { () throws(ModelError) in
      .mixture(try GoatMixture(goats: share, goatMiss: goat, sheepMiss: other))
    }
  }

  private func beta(_ scores: ScoreModel) throws(PolicyError) -> Population {
    let mean = try number("mean", in: .rate) ?? scores.falseNonMatch
    let correlation = try required("correlation", try number("correlation", in: .rate))
    let rates = try made("correlation") { () throws(ModelError) in
      try BetaRates(mean: mean, correlation: correlation)
    }
    // The quadrature over people takes 80 / alpha + 80 / beta nodes.
    guard min(rates.alpha, rates.beta) >= 0.02 else {
      throw contradiction(
        "most of these people would always match or always miss; allowed: a lower correlation, "
          + "or a mean nearer to 0.5",
        at: "correlation"
      )
    }
    return .beta(rates)
  }
}
