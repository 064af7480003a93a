import LocalAuthCore
import LocalAuthKeychain

/// Several searches in one call, each for one item: what they need is asked for at once.
extension KeychainRun {
  /// Answers with one item of each search, in their order.
  ///
  /// A search that finds nothing or several items ends the call before anybody is asked.
  func copyEach(_ dictionaries: [QueryDictionary]) throws(KeychainError) {
    for (index, dictionary) in dictionaries.enumerated() {
      itemInQuestion = index
      let query = try ItemQuery(dictionary, groups: request.groups)
      try check(query.selection)
      guard query.selection.itemClass != .identity else {
        throw .unsupported(query.selection.itemClass.rawValue)
      }
      passes.append(
        ItemPass(
          query.selection,
          // A second item shows that the search is ambiguous.
          ItemWalk(.read(.count(2)), interface: interface(query.options)),
          on: device,
          returns: query.returns
        )
      )
    }
    gather()
  }

  /// Begins with all searches once the call has a place, which it keeps: what one search found is held while the next goes on.
  func gather() {
    takingPlace { [self] in gather(passes[...], demanding: []) }
  }

  /// Goes through the searches that are `left`; then asks for all that they demand, or answers.
  private func gather(
    _ left: ArraySlice<ItemPass>,
    demanding demands: [ItemWalk.Demand]
  ) {
    guard !isFinished else { return }
    guard let pass = left.first else {
      itemInQuestion = nil
      guard !demands.isEmpty else {
        return attempting { () throws(KeychainError) in
          try answer()
        }
      }
      for pass in passes { pass.restart() }
      leaveTurn()
      return prove(demands[...]) { [self] in gather() }
    }
    itemInQuestion = left.startIndex
    let goOn = { [self] (more: [ItemWalk.Demand]) in
      guard !pass.walk.isComplete else { return fail(.duplicateItem) }
      guard heldBytes <= request.answerBytesMax else {
        itemInQuestion = nil
        return fail(.parameter(.tooMuchAtOnce))
      }
      gather(left.dropFirst(), demanding: Self.joined(demands, more))
    }
    go(through: pass, demanding: goOn) { goOn([]) }
  }

  private func answer() throws(KeychainError) {
    var items: [FoundItem] = []
    for (index, pass) in passes.enumerated() {
      guard let item = pass.found.first else {
        itemInQuestion = index
        throw .itemNotFound
      }
      items.append(item)
    }
    let returns = passes.reduce(ReturnSet()) { $0.union($1.returns) }
    finish(KeychainAnswer(items: items, returns: returns))
  }

  private static func joined(
    _ demands: [ItemWalk.Demand],
    _ more: [ItemWalk.Demand]
  ) -> [ItemWalk.Demand] {
    var joined = demands
    for demand in more {
      var isJoined = false
      for place in joined.indices where !isJoined { isJoined = joined[place].join(demand) }
      if !isJoined { joined.append(demand) }
    }
    return joined
  }
}
