/// Parses `/proc/PID/cgroup` (cgroups(7)): one line `ID:CONTROLLERS:PATH` per hierarchy.
public enum ControlGroupFile {
  /// The path of the process in the hierarchy that systemd manages.
  ///
  /// That is the unified hierarchy (`0::`), or the named hierarchy `systemd` if the unified one is
  /// unused and every process is at its root. Nil if neither names a group, if both do and differ,
  /// if the group is outside of our cgroup namespace, or if it was removed.
  public static func path(in text: [UInt8]) -> String? {
    var unified: [UInt8]?
    var named: [UInt8]?
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(
        separator: UInt8(ascii: ":"),
        maxSplits: 2,
        omittingEmptySubsequences: false
      )
      guard fields.count == 3 else { return nil }
      if fields[0].elementsEqual("0".utf8), fields[1].isEmpty { unified = Array(fields[2]) }
      if fields[1].elementsEqual("name=systemd".utf8) { named = Array(fields[2]) }
    }
    let root = Array("/".utf8)
    guard let found = unified == root ? named ?? unified : unified ?? named,
      unified == nil || unified == root || named == nil || named == root || unified == named
    else { return nil }
    return readable(found)
  }

  /// The path, if it lies below our root and the group still exists.
  private static func readable(_ path: [UInt8]) -> String? {
    guard path.first == UInt8(ascii: "/"), !path.starts(with: "/..".utf8),
      !path.suffix(10).elementsEqual(" (deleted)".utf8)
    else { return nil }
    return String(validating: path, as: UTF8.self)
  }
}
