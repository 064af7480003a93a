/// The search for the cheapest candidates that keep to all bounds: what to compute next, and what
/// follows from it.
///
/// It is exact: a candidate is passed over only if it is known to miss a bound, or if enough others
/// that cost less are known to miss none. What is cheap to compute is asked first, and what only
/// some candidates need only for those, in the order of their costs.
///
/// Every candidate is solved for the first days, and all days of a year for those that can be chosen:
/// in the order of what they cost at least by the first days, until none of the rest can cost less than
/// those found. ``Choice/leastPart`` says what the first days tell of a year, and tests hold it against
/// all days of every candidate.
///
/// Costs are compared in hundredths. Of candidates that cost the same, the one that the worst attack
/// of the bounds gets into least comes first, then the one that the space has first; those that
/// differ from it only in delays and grant are not chosen besides.
public struct ChoiceSearch: Sendable {
  /// The question.
  public let choice: Choice
  let cases: ChoiceCases
  var known: [ChoiceFact: ChoiceFinding] = [:]

  /// How many facts are asked for at once while candidates are looked at in order.
  private var batch: Int { choice.hasLaterDays ? 4 : 16 }

  /// Creates a search that knows nothing.
  public init(_ choice: Choice) {
    self.choice = choice
    cases = ChoiceCases(choice)
  }

  /// The number of facts that were computed.
  public var facts: Int { known.count }

  /// Computes one piece of work; nil if it was stopped, which is asked before each day that is solved, and
  /// within attacks.
  public func find(
    _ piece: [ChoiceFact],
    isStopped: () -> Bool = { false }
  ) -> [ChoiceFact: ChoiceFinding]? { cases.find(piece, isStopped: isStopped) }

  /// Takes the answers to facts.
  public mutating func take(_ findings: [ChoiceFact: ChoiceFinding]) {
    known.merge(findings) { $1 }
  }

  /// The pieces of work that come next, in any order; none if the search is over.
  public var next: [[ChoiceFact]] { cases.together(open) }

  private var open: [ChoiceFact] {
    let screens = cases.rows.indices.compactMap { missing($0, .firstDays, besides: isOfFew) }
      .distinct
    guard screens.isEmpty else { return screens }
    let walk = walk()
    guard walk.facts.isEmpty else { return walk.facts }
    guard walk.found.isEmpty else { return shown(walk.found) }
    let rest = cases.rows.indices.flatMap { needed($0, .firstDays) }.distinct
    guard rest.isEmpty else { return rest }
    return nearest(all).filter { !$0.isWhole }
      .map { ChoiceFact.whole(case: cases.rows[$0.index].people) }.distinct
  }

  /// What is known so far.
  public var result: ChoiceResult {
    var result = ChoiceResult(chosen: walk().found, isComplete: open.isEmpty)
    result.unknown = unknown
    guard result.isComplete else {
      result.unjudged = unjudged
      return result
    }
    guard result.chosen.isEmpty else { return result }
    let all = all
    result.conflicts = Conflicts(all.map(\.missed), bounds: choice.bounds.count).smallest
    result.nearest = nearest(all)
    result.unmet = unmet
    return result
  }

  /// All candidates, by the first days if no more were solved.
  private var all: [ChosenPolicy] { cases.rows.indices.compactMap { chosen($0, .firstDays) } }

  /// Those that miss the fewest bounds, the cheapest first.
  private func nearest(_ all: [ChosenPolicy]) -> [ChosenPolicy] {
    let least = all.map(\.missed.count).min() ?? 0
    return listed(all.filter { $0.missed.count == least }.groupedByCost().flatMap(\.ranked))
  }

  /// Those known to miss nothing, of which something is open or a year is not solved.
  private var unjudged: [ChosenPolicy] {
    let open = cases.rows.indices.filter { !misses($0) }.compactMap { chosen($0) }
      .filter { !$0.open.isEmpty || !$0.isWhole }
    return listed(open.groupedByCost().flatMap(\.ranked))
  }

  /// Goes through the candidates in the order of their costs, as far as needed: those that keep to
  /// all bounds, and the facts that are open before enough are found.
  private func walk() -> (found: [ChosenPolicy], facts: [ChoiceFact]) {
    let screened = cases.rows.indices.filter { !misses($0) }.compactMap { chosen($0) }
    var (found, facts) = ([] as [ChosenPolicy], [] as [ChoiceFact])
    for group in screened.groupedByCost(choice.leastPart) {
      guard found.count < choice.count, facts.count < batch else { break }
      facts += group.compactMap { missing($0.index, .allDays) }
      guard facts.isEmpty else { continue }
      found = listed(found + group.filter { $0.missed.isEmpty }.ranked)
    }
    return (found, facts.distinct)
  }

  /// The facts that are shown of those that were found, and still open.
  private func shown(_ found: [ChosenPolicy]) -> [ChoiceFact] {
    found.filter { $0.time == nil }
      .map { ChoiceFact.time(case: cases.rows[$0.index].people) }.distinct
  }

  /// Those without what differs from an earlier one only in delays and grant, as many as are wanted.
  private func listed(_ found: [ChosenPolicy]) -> [ChosenPolicy] {
    var seen = Set<ChosenPolicy.Look>()
    return Array(found.filter { seen.insert($0.look).inserted }.prefix(choice.count))
  }
}

extension [ChosenPolicy] {
  /// Groups of equal costs in ascending order; each in the order that it has here.
  ///
  /// Those of which only the first days are known are at the `part` of their costs which these are at least.
  fileprivate func groupedByCost(_ part: Double = 1) -> [[ChosenPolicy]] {
    let groups = [Double: [ChosenPolicy]](grouping: self) { chosen in
      chosen.isWhole ? chosen.hundredths : (chosen.cost * part * 100).rounded(.down)
    }
    return groups.keys.sorted().map { groups[$0] ?? [] }
  }

  /// In the order of the worst attack.
  fileprivate var ranked: [ChosenPolicy] {
    sorted { ($0.worst, $0.index) < ($1.worst, $1.index) }
  }
}
