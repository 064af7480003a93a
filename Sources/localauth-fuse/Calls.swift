import CLocalAuthFuse
import Glibc

/// What the kernel asks, as calls of a tree.
enum Calls {
  /// The calls; the context of each is a tree that lives as long as the process.
  static var table: la_fuse_calls {
    unsafe la_fuse_calls(
      lookup: lookup,
      forget: { context, node, count in unsafe Calls.tree(context).nodes.forget(node, count) },
      status: status,
      set_status: setStatus,
      target: { context, node, room, size in
        Calls.count { () throws(Refusal) in
          try unsafe Calls.tree(context).target(of: node, room, size)
        }
      },
      make_directory: makeDirectory,
      make_link: makeLink,
      remove: { context, parent, name, isDirectory in
        Calls.answer { () throws(Refusal) in
          try unsafe Calls.tree(context).remove(name, in: parent, isDirectory: isDirectory)
        }
      },
      rename: { context, parent, name, newParent, newName, flags in
        Calls.answer { () throws(Refusal) in
          try unsafe Calls.tree(context).rename(name, in: parent, to: newName, in: newParent, flags)
        }
      },
      open: { context, node, flags, handle in
        Calls.answer { () throws(Refusal) in
          unsafe handle.pointee = try Calls.tree(context).open(node, flags)
        }
      },
      create: create,
      read: { context, node, room, size, offset in
        Calls.count { () throws(Refusal) in
          let room = unsafe UnsafeMutableRawBufferPointer(start: room, count: size)
          return try unsafe Calls.tree(context).read(node, room, at: offset)
        }
      },
      write: { context, node, bytes, size, offset, appends in
        Calls.answer { () throws(Refusal) in
          let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: size)
          try unsafe Calls.tree(context).write(node, bytes, at: offset, appends: appends)
        }
      },
      seal: { context, node, handle, closes in
        Calls.answer { () throws(Refusal) in
          try unsafe Calls.tree(context).seal(node, handle, closes: closes)
        }
      },
      release: { context, node, handle in unsafe Calls.tree(context).release(node, handle) },
      reserve: { context, node, mode, offset, length in
        Calls.answer { () throws(Refusal) in
          try unsafe Calls.tree(context).reserve(node, mode, offset, length)
        }
      },
      open_directory: { context, node, handle in
        Calls.answer { () throws(Refusal) in
          unsafe handle.pointee = try Calls.tree(context).openDirectory(node)
        }
      },
      name: { context, handle, index, name in
        Calls.count { () throws(Refusal) in
          guard let found = try unsafe Calls.tree(context).name(at: index, of: handle) else {
            return 0
          }
          unsafe name.pointee = found
          return 1
        }
      },
      release_directory: { context, handle in unsafe Calls.tree(context).releaseDirectory(handle) },
      synchronize_directory: { context, node in
        Calls.answer { () throws(Refusal) in
          try unsafe Calls.tree(context).synchronizeDirectory(node)
        }
      },
      space: { context, space in
        Calls.answer { () throws(Refusal) in try unsafe Calls.tree(context).space(space) }
      },
      set_attribute: setAttribute,
      attribute: attribute,
      attributes: attributes,
      remove_attribute: { context, node, name in
        Calls.answer { () throws(Refusal) in
          try unsafe Calls.tree(context).removeAttribute(String(cString: name), of: node)
        }
      }
    )
  }

  // SAFETY: the context of every call is the tree that the session was made for.
  @unsafe
  private static func tree(_ context: UnsafeMutableRawPointer) -> FileTree {
    unsafe Unmanaged<FileTree>.fromOpaque(context).takeUnretainedValue()
  }

  /// 0, or the error number of what `body` throws.
  private static func answer(_ body: () throws(Refusal) -> Void) -> Int32 {
    do throws(Refusal) {
      try body()
      return 0
    } catch { return error.code }
  }

  /// How many bytes, or the error number of what `body` throws, negated.
  private static func count(_ body: () throws(Refusal) -> Int) -> Int {
    do throws(Refusal) { return try body() } catch { return -Int(error.code) }
  }

  /// Copies `bytes` to `room`, if that is asked for; returns how many they are.
  @unsafe
  private static func copy(
    _ bytes: [UInt8],
    to room: UnsafeMutableRawPointer?,
    _ size: Int
  ) throws(Refusal) -> Int {
    guard size > 0 else { return bytes.count }
    guard size >= bytes.count else { throw Refusal(ERANGE) }
    // SAFETY: the caller's room has that size.
    unsafe UnsafeMutableRawBufferPointer(start: room, count: size).copyBytes(from: bytes)
    return bytes.count
  }

  // MARK: Calls with an answer

  private static let lookup:
    @convention(c) (
      UnsafeMutableRawPointer, UInt64, UnsafePointer<CChar>, UnsafeMutablePointer<la_fuse_entry>
    ) -> Int32 = { context, parent, name, entry in
      Calls.answer { () throws(Refusal) in
        unsafe entry.pointee = try Calls.tree(context).lookup(name, in: parent)
      }
    }

  private static let status:
    @convention(c) (UnsafeMutableRawPointer, UInt64, UnsafeMutablePointer<stat>) -> Int32 = {
      context,
      node,
      status in
      Calls.answer { () throws(Refusal) in
        unsafe status.pointee = try Calls.tree(context).status(of: node)
      }
    }

  private static let setStatus:
    @convention(c) (
      UnsafeMutableRawPointer, UInt64, Int32, UnsafePointer<stat>, UnsafeMutablePointer<stat>
    ) -> Int32 = { context, node, what, wanted, status in
      Calls.answer { () throws(Refusal) in
        unsafe status.pointee = try Calls.tree(context).setStatus(of: node, what, wanted.pointee)
      }
    }

  private static let makeDirectory:
    @convention(c) (
      UnsafeMutableRawPointer, UInt64, UnsafePointer<CChar>, UInt32,
      UnsafeMutablePointer<la_fuse_entry>
    ) -> Int32 = { context, parent, name, mode, entry in
      Calls.answer { () throws(Refusal) in
        unsafe entry.pointee = try Calls.tree(context).makeDirectory(name, in: parent, mode)
      }
    }

  private static let makeLink:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafePointer<CChar>, UInt64, UnsafePointer<CChar>,
      UnsafeMutablePointer<la_fuse_entry>
    ) -> Int32 = { context, target, parent, name, entry in
      Calls.answer { () throws(Refusal) in
        unsafe entry.pointee = try Calls.tree(context).makeLink(to: target, name, in: parent)
      }
    }

  private static let create:
    @convention(c) (
      UnsafeMutableRawPointer, UInt64, UnsafePointer<CChar>, UInt32, Int32,
      UnsafeMutablePointer<la_fuse_entry>, UnsafeMutablePointer<UInt64>
    ) -> Int32 = { context, parent, name, mode, flags, entry, handle in
      Calls.answer { () throws(Refusal) in
        let made = try unsafe Calls.tree(context).create(name, in: parent, mode, flags)
        unsafe (entry.pointee, handle.pointee) = made
      }
    }

  private static let setAttribute:
    @convention(c) (
      UnsafeMutableRawPointer, UInt64, UnsafePointer<CChar>, UnsafeRawPointer, Int
    ) -> Int32 = { context, node, name, value, size in
      Calls.answer { () throws(Refusal) in
        // SAFETY: the caller's value has that size.
        let value = unsafe Array(UnsafeRawBufferPointer(start: value, count: size))
        try unsafe Calls.tree(context).setAttribute(String(cString: name), value, of: node)
      }
    }

  private static let attribute:
    @convention(c) (
      UnsafeMutableRawPointer, UInt64, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
    ) -> Int = { context, node, name, room, size in
      Calls.count { () throws(Refusal) in
        let value = try unsafe Calls.tree(context).attribute(String(cString: name), of: node)
        return try unsafe Calls.copy(value, to: room, size)
      }
    }

  private static let attributes:
    @convention(c) (UnsafeMutableRawPointer, UInt64, UnsafeMutablePointer<CChar>?, Int) -> Int = {
      context,
      node,
      room,
      size in
      Calls.count { () throws(Refusal) in
        try unsafe Calls.copy(try Calls.tree(context).attributes(of: node), to: room, size)
      }
    }
}
