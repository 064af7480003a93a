import Glibc
import LocalAuthUnix

ReplacementFile.goWithSignals()
Program.reserveStandardStreams()
exit(Program.run())
