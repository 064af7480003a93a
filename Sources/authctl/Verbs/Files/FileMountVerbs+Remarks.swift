import LocalAuthFiles
import LocalAuthWire

/// What a person should know of a mount before programs fail there.
extension FileMountVerbs {
  /// How many files are looked at for one that is not protected.
  private static let examinedMax = 10_000

  /// The sentences about a directory that is mounted now, and about its device.
  static func remarks(on directory: String, _ device: DeviceMessages.Device) -> [String] {
    var remarks: [String] = []
    if device.lockState != "unlocked" {
      remarks.append(
        "\(device.name) is not unlocked: until then only what its state leaves open can be read."
      )
    }
    if let plain = firstPlainFile(in: directory) {
      remarks.append(
        "\(plain) is not protected, so programs cannot read it there; it may not be the only one."
          + " 'authctl file status --recursive' shows which are, and 'authctl file protect' protects them where they lie."
      )
    }
    return remarks
  }

  private static func firstPlainFile(in directory: String) -> String? {
    let walk = FileWalk([directory], isRecursive: true, changes: false)
    // Its open directories are what the files are reached by.
    return withExtendedLifetime(walk) {
      walk.found.prefix(examinedMax).first { file in
        // What cannot be examined fails by itself.
        file.refusal == nil && (try? ProtectedFiles.hasHeader(file.reached)) == false
      }?.path
    }
  }
}
