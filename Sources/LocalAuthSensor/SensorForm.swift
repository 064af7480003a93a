/// The location and type of the sensor.
public enum SensorForm: String, CaseIterable, Hashable, Sendable {
  case rear
  case side
  case underDisplay = "under-display"
  case ultrasonic
  case swipe
}

/// Whether the finger is pressed on the sensor or swiped across it.
public enum ScanType: String, CaseIterable, Hashable, Sendable {
  case press
  case swipe
}
