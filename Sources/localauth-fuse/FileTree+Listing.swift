import CLocalAuthFuse
import Glibc
import LocalAuthUnix
import Synchronization

/// The directories that programs are reading.
struct Listings {
  struct Listing {
    let directory: Node
    var names: [la_fuse_name] = []
  }

  var open: [UInt64: Listing] = [:]
  var next: UInt64 = 1
}

/// The names in directories.
extension FileTree {
  /// Begins to list a directory.
  func openDirectory(_ number: UInt64) throws(Refusal) -> UInt64 {
    let directory = try nodes.node(number)
    // Whoever may not read it is told so now.
    _ = try directory.open(O_RDONLY | O_DIRECTORY)
    return listings.withLock { listings in
      listings.next += 1
      listings.open[listings.next] = Listings.Listing(directory: directory)
      return listings.next
    }
  }

  func releaseDirectory(_ handle: UInt64) { listings.withLock { $0.open[handle] = nil } }

  /// The name at `index`, nil behind the last one; at 0 the directory is read anew.
  func name(at index: Int64, of handle: UInt64) throws(Refusal) -> la_fuse_name? {
    try listings.withLock { (listings) throws(Refusal) in
      guard var listing = listings.open[handle] else { return nil }
      if index == 0 {
        listing.names = try Self.names(in: listing.directory)
        listings.open[handle] = listing
      }
      return listing.names.indices.contains(Int(index)) ? listing.names[Int(index)] : nil
    }
  }

  private static func names(in directory: Node) throws(Refusal) -> [la_fuse_name] {
    let number = try directory.open(O_RDONLY | O_DIRECTORY).release()
    // SAFETY: the stream owns the descriptor and is closed below.
    guard let stream = unsafe fdopendir(number) else {
      Glibc.close(number)
      throw .ofLastCall
    }
    defer { unsafe closedir(stream) }
    var names: [la_fuse_name] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      var name = la_fuse_name()
      // SAFETY: the entry lives until the next call; both names have 256 bytes.
      unsafe name.inode = UInt64(entry.pointee.d_ino)
      unsafe name.type = UInt32(entry.pointee.d_type) << 12
      unsafe name.name = entry.pointee.d_name
      names.append(name)
      errno = 0
    }
    guard errno == 0 else { throw .ofLastCall }
    return names
  }
}
