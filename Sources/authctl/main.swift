import Glibc

Program.reserveStandardStreams()
exit(Program.run())
