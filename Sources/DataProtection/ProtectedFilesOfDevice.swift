import LocalAuthEmbedded
import LocalAuthFiles
import Synchronization

/// The protected files of the device that counts here; Foundation's calls name none.
enum ProtectedFilesOfDevice {
  private struct Entry {
    weak var device: CurrentDevice?
    let files: ProtectedFiles
  }

  private static let entries = Mutex<[Entry]>([])

  /// Those of the device of the task, of the process or of the environment; each device has one.
  static func current() throws(FileFailure) -> ProtectedFiles {
    let device: CurrentDevice
    do throws(DeviceError) { device = try CurrentDevice.get() } catch {
      throw .service(.badConfiguration("\(error)"))
    }
    if let files = entries.withLock({ find(device, in: &$0) }) { return files }
    let made = try ProtectedFiles(on: device.device)
    return entries.withLock { entries in
      if let files = find(device, in: &entries) { return files }
      entries.append(Entry(device: device, files: made))
      return made
    }
  }

  private static func find(_ device: CurrentDevice, in entries: inout [Entry]) -> ProtectedFiles? {
    entries.removeAll { $0.device == nil }
    return entries.first { $0.device === device }?.files
  }
}
