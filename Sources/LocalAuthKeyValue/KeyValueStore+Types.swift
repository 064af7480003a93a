public import LocalAuthPropertyList

/// Values of one type; another type's value is nil.
extension KeyValueStore {
  /// The text of a key.
  public func string(forKey key: String) -> String? {
    if case .string(let text)? = value(forKey: key) { text } else { nil }
  }

  /// The boolean of a key.
  public func boolean(forKey key: String) -> Bool? {
    if case .boolean(let value)? = value(forKey: key) { value } else { nil }
  }

  /// The integer of a key.
  public func integer(forKey key: String) -> Int64? {
    if case .integer(let number)? = value(forKey: key) { number } else { nil }
  }

  /// The real of a key; an integer is one too.
  public func real(forKey key: String) -> Double? {
    switch value(forKey: key) {
    case .real(let number)?: number
    case .integer(let number)?: Double(number)
    case .string?, .boolean?, .date?, .data?, .array?, .dictionary?, nil: nil
    }
  }

  /// The date of a key, in seconds since the first moment of 2001 in UTC.
  public func date(forKey key: String) -> Double? {
    if case .date(let seconds)? = value(forKey: key) { seconds } else { nil }
  }

  /// The data of a key.
  public func data(forKey key: String) -> [UInt8]? {
    if case .data(let bytes)? = value(forKey: key) { bytes } else { nil }
  }

  /// The array of a key.
  public func array(forKey key: String) -> [PropertyList]? {
    if case .array(let values)? = value(forKey: key) { values } else { nil }
  }

  /// The dictionary of a key.
  public func dictionary(forKey key: String) -> [String: PropertyList]? {
    if case .dictionary(let values)? = value(forKey: key) { values } else { nil }
  }
}
