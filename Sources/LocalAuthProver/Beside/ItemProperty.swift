/// What is proven of the authorizations of keychain items.
public enum ItemProperty: StatedProperty {
  case itemIsProven
  case proofEnds
  case eachUseIsProven
  case onlySuccessCounts
  case proofCounts
  case coverIsWhole

  /// The name of the property, as reports have it.
  public var name: String {
    switch self {
    case .itemIsProven: "item-is-proven"
    case .proofEnds: "proof-ends"
    case .eachUseIsProven: "each-use-is-proven"
    case .onlySuccessCounts: "only-success-counts"
    case .proofCounts: "proof-counts"
    case .coverIsWhole: "cover-is-whole"
    }
  }

  /// The property in one sentence.
  public var sentence: String {
    switch self {
    case .itemIsProven:
      "An item opens only by a success of what it asks for: in its context, for its operation."
    case .proofEnds:
      "A proof opens nothing after its call, context or connection, a lock, another set of fingers, or its time."
    case .eachUseIsProven:
      "An item that asks at each use opens for the one call that asked, or the first one after it."
    case .onlySuccessCounts:
      "What failed, was asked for something else, or is an earlier unlock or grant, proves nothing."
    case .proofCounts: "What was proven opens what it was proven for until one of its ends."
    case .coverIsWhole: "Nobody is asked again where every item is proven, and only there."
    }
  }
}
