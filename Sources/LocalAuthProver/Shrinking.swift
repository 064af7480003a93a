/// Shortens a trace to the events it needs.
enum Shrinking {
  /// Removes every event that is not needed to violate `property`.
  static func shortest(_ trace: [Event], from model: Model, breaking property: Property) -> [Event]
  {
    var trace = trace
    var size = max(1, trace.count / 2)
    while true {
      var start = 0
      var isShorter = false
      while start < trace.count {
        var shorter = trace
        shorter.removeSubrange(start..<min(start + size, trace.count))
        if breaks(property, shorter, model) {
          trace = shorter
          isShorter = true
        } else {
          start += size
        }
      }
      if size > 1 { size /= 2 } else if !isShorter { return trace }
    }
  }

  private static func breaks(_ property: Property, _ trace: [Event], _ model: Model) -> Bool {
    var model = model
    for event in trace { model.apply(event) }
    return model.state.violated == property
  }
}
