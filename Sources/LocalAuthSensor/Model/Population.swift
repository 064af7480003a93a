/// How people differ in the miss rate of their own fingers.
///
/// A person who misses once is likely to miss often, which a model with one rate for everyone
/// ignores: with the standard goats, whose sizes are ours, three misses in a row are 40 times as
/// likely as that model predicts.
public enum Population: Hashable, Sendable {
  /// Each person's scores have a mean of their own, normally distributed.
  case probit(ProbitRates)
  /// A mixture of sheep and goats.
  case mixture(GoatMixture)
  /// Miss rates with a Beta distribution.
  case beta(BetaRates)

  /// 10 % goats with a miss rate of 0.25, the others with 0.01: mean 3.4 %.
  ///
  /// The shape follows Breebaart (EURASIP JASP 2009: 90 % of people lie far below the mean); the
  /// values are our own assumptions.
  public static let goats = Population.mixture(.standard)

  /// Draws one person.
  public func person(using stream: inout EventStream) -> Person {
    switch self {
    case .probit(let rates):
      let effect = rates.correlation.squareRoot() * stream.normal()
      return Person(
        margin: StandardNormal.upperQuantile(rates.miss) + effect,
        deviation: (1 - rates.correlation).squareRoot()
      )
    case .mixture(let mixture):
      return Person(miss: stream.happens(mixture.goats) ? mixture.goatMiss : mixture.sheepMiss)
    case .beta(let rates):
      return Person(miss: stream.beta(rates.alpha, rates.beta))
    }
  }
}

/// A mean miss rate, and the person's share of the score variance.
public struct ProbitRates: Hashable, Sendable {
  /// The mean miss rate.
  public let miss: Double
  /// The intraclass correlation: 0 if people are alike, 1 if each always matches or always misses.
  public let correlation: Double

  init(unchecked miss: Double, correlation: Double) {
    self.miss = miss
    self.correlation = correlation
  }

  /// Creates the rates with these values.
  public init(miss: Double, correlation: Double) throws(ModelError) {
    self.miss = try ModelError.openProbability(miss, "the miss rate")
    self.correlation = try ModelError.probability(correlation, "the correlation")
  }
}

/// A mixture of sheep, and of goats, who are hard to recognize (Doddington 1998).
public struct GoatMixture: Hashable, Sendable {
  /// The share of goats.
  public let goats: Double
  /// The miss rate of goats.
  public let goatMiss: Double
  /// The miss rate of sheep.
  public let sheepMiss: Double

  private init(unchecked goats: Double, _ goatMiss: Double, _ sheepMiss: Double) {
    self.goats = goats
    self.goatMiss = goatMiss
    self.sheepMiss = sheepMiss
  }

  /// Creates the mixture with these values.
  public init(goats: Double, goatMiss: Double, sheepMiss: Double) throws(ModelError) {
    self.init(
      unchecked: try ModelError.probability(goats, "the share of goats"),
      try ModelError.probability(goatMiss, "a goat's miss rate"),
      try ModelError.probability(sheepMiss, "a sheep's miss rate")
    )
  }

  /// See ``Population/goats``.
  public static let standard = GoatMixture(unchecked: 0.10, 0.25, 0.01)

  /// The mean miss rate.
  public var mean: Double { goats * goatMiss + (1 - goats) * sheepMiss }
}

/// Rates with a Beta distribution, of genuine misses or of false matches.
public struct BetaRates: Hashable, Sendable {
  /// The first parameter; shifts weight towards 1.
  public let alpha: Double
  /// The second parameter; shifts weight towards 0.
  public let beta: Double

  private init(unchecked alpha: Double, _ beta: Double) {
    self.alpha = alpha
    self.beta = beta
  }

  /// Creates the distribution with these parameters.
  public init(alpha: Double, beta: Double) throws(ModelError) {
    self.init(
      unchecked: try ModelError.positive(alpha, "alpha"),
      try ModelError.positive(beta, "beta")
    )
  }

  /// Creates the distribution with this mean and this correlation between two attempts of one
  /// person.
  public init(mean: Double, correlation: Double) throws(ModelError) {
    let mean = try ModelError.openProbability(mean, "the mean rate")
    let spread = try ModelError.openProbability(correlation, "the correlation")
    let size = (1 - spread) / spread
    try self.init(alpha: mean * size, beta: (1 - mean) * size)
  }

  /// Beta(0.181, 5.154): the mean and variance of ``GoatMixture/standard``, with correlation 0.158.
  public static let standard = BetaRates(unchecked: 0.181, 5.154)

  /// The mean rate.
  public var mean: Double { alpha / (alpha + beta) }
  /// The correlation between two attempts of one person: 1 / (alpha + beta + 1).
  public var correlation: Double { 1 / (alpha + beta + 1) }
}
