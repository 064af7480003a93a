import LocalAuthSensor

extension SensorModel {
  /// Returns the finger that misses at the rate which `share` of all fingers do not exceed.
  ///
  /// Its rates are stated ones, over all states of the finger.
  func finger(at share: Double) -> EnrolledFinger {
    let fingerShare = scores.effects.fingerShare
    switch population {
    case .probit(let rates):
      let effects = rates.correlation + fingerShare * (1 - rates.correlation)
      let margin = StandardNormal.upperQuantile(rates.miss)
      return EnrolledFinger(
        margin: effects > 0
          ? margin + effects.squareRoot() * StandardNormal.upperQuantile(share) : margin,
        noise: (1 - effects).squareRoot()
      )
    case .mixture(let mixture) where fingerShare == 0: return mixture.finger(at: share)
    case .beta(let rates) where fingerShare == 0: return rates.finger(at: share)
    case .mixture, .beta: return blended(at: share)
    }
  }

  /// The same for people whose fingers vary: the margin is a mixture of normal distributions.
  private func blended(at share: Double) -> EnrolledFinger {
    let (spread, people) = (scores.effects.fingerShare.squareRoot(), mixture())
    func worse(than margin: Double) -> Double {
      people.reduce(0) { sum, kind in
        sum + kind.1 * StandardNormal.cumulative((kind.0.margin - margin) / spread)
      }
    }
    let margins = people.map(\.0.margin)
    let margin = bisected((margins.min() ?? 0) - 10, (margins.max() ?? 0) + 10) {
      worse(than: $0) > share
    }
    return EnrolledFinger(margin: margin, noise: (1 - scores.effects.fingerShare).squareRoot())
  }
}

extension SensorModel {
  /// The shares of fingers at which ``finger(at:)`` steps; none if it does not, or has one value.
  var steps: [Double] {
    guard case .mixture(let mixture) = population, scores.effects.fingerShare == 0 else {
      return []
    }
    let first = mixture.kinds[0].share
    return 0 < first && first < 1 ? [first] : []
  }

  /// Whether all fingers between two steps are alike.
  var areSteps: Bool {
    guard scores.effects.fingerShare == 0 else { return false }
    switch population {
    case .mixture: return true
    case .probit(let rates): return rates.correlation == 0
    case .beta: return false
    }
  }
}

extension GoatMixture {
  /// Both kinds, the better recognized first.
  fileprivate var kinds: [(rate: Double, share: Double)] {
    [(rate: sheepMiss, share: 1 - goats), (rate: goatMiss, share: goats)]
      .sorted { $0.rate < $1.rate }
  }

  fileprivate func finger(at share: Double) -> EnrolledFinger {
    let kinds = kinds
    // The shares add up to 1 only up to rounding.
    return EnrolledFinger(
      miss: share <= kinds[0].share * (1 + 1e-12) ? kinds[0].rate : kinds[1].rate
    )
  }
}

extension BetaRates {
  fileprivate func finger(at share: Double) -> EnrolledFinger {
    EnrolledFinger(miss: bisected(0, 1) { cumulative($0) < share })
  }
}

extension EnrolledFinger {
  fileprivate init(miss: Double) {
    let person = Person(miss: miss)
    self.init(margin: person.margin, noise: person.deviation)
  }
}

/// Returns the point between `low` and `high` below which `isBelow` holds.
private func bisected(_ low: Double, _ high: Double, _ isBelow: (Double) -> Bool) -> Double {
  var (low, high) = (low, high)
  while true {
    let middle = 0.5 * (low + high)
    guard middle > low, middle < high else { return middle }
    if isBelow(middle) { low = middle } else { high = middle }
  }
}
