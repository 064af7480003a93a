import LocalAuthUnix
import Testing

/// Mounted files of somebody who is not root: the system's fusermount3 mounts them.
@Suite(
  .enabled(
    if: MountedDevice.isPossible && LocalAccount.canBeMade && Files.exists("/usr/bin/fusermount3"),
    "needs /dev/fuse, root to make an account, and fusermount3"
  )
)
struct OrdinaryMountTests {
  /// Becomes the user `$1` where everybody may open /dev/fuse, as udev has it.
  private static let becoming = """
    set -eu
    mount -t tmpfs -o dev,mode=755 tmpfs /mnt
    mknod /mnt/fuse c 10 229
    chmod 666 /mnt/fuse
    mount --bind /mnt/fuse /dev/fuse
    user=$1; shift
    exec setpriv --reuid "$user" --regid "$user" --clear-groups -- "$@"
    """

  /// Says what it sees; `$1` is `authctl`, `$2` the directory for everything.
  private static let script = """
    set -eu
    program=$1 home=$2
    authctl() { "$program" --home "$home/device" --device sim "$@"; }
    trap 'authctl daemon stop > /dev/null 2>&1' EXIT
    mkdir -m 700 "$home/device" "$home/vault" "$home/open"
    echo 2468 | authctl device create sim --passcode-stdin --quiet
    authctl file default "$home/vault" complete 2> /dev/null
    authctl file mount --quiet "$home/vault" "$home/open"
    echo text > "$home/open/note"
    cat "$home/open/note"
    if grep -q text "$home/vault/note"; then echo plain; fi
    exec 4< "$home/open/note"
    authctl device lock --quiet
    authctl device clock advance 11s --quiet
    while cat "$home/open/note" > /dev/null 2>&1; do :; done
    cat <&4 2> /dev/null || echo revoked
    exec 4<&-
    authctl file unmount --quiet "$home/open"
    ls "$home/open"
    """

  @Test func mountedFilesOfAnOrdinaryUserAreRevoked() throws {
    let account = try LocalAccount(password: "correct horse")
    let scratch = Scratch()
    Files.setMode(0o755, of: scratch.path)
    let home = try scratch.makeDirectory("home")
    _ = try RunningProgram.run("/bin/chown", ["\(account.uid)", home])
    let words = ["/bin/sh", "-c", Self.script, "sh", Machine.sharedPrograms.file("authctl"), home]
    let run = try RunningProgram.run(
      "/usr/bin/unshare",
      ["--mount", "--propagation", "private", "/bin/sh", "-c", Self.becoming, "sh"]
        + ["\(account.uid)"] + words,
      environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "HOME=\(home)"]
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "text\nrevoked\n")
  }
}
