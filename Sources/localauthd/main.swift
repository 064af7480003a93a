import Glibc
import LocalAuthHost
import LocalAuthUnix

/// Runs the daemon until it is told to end or has been idle for too long.
func main(_ arguments: [String]) -> Int32 {
  switch Configuration.parse(arguments) {
  case .help:
    print(Configuration.usage, terminator: "")
    return 0
  case .version:
    print("localauthd \(HostOptions.version)")
    return 0
  case .failure(let message):
    Log.error(message)
    return Int32(EX_USAGE)
  case .run(let configuration):
    // A part of a document takes 350 KB several times over, which the kernel would be asked for again with each.
    ThisProgram.keepMemory(2 << 20)
    do {
      try Daemon(configuration).run()
      return 0
    } catch {
      Log.error("\(error)")
      return Int32(EX_UNAVAILABLE)
    }
  }
}

exit(main(CommandLine.arguments))
