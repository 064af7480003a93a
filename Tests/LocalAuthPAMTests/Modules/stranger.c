// Connects to the socket named by its argument as user 65534; exits 0 when it is hung up on at once.
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char byte;
  if (count != 2 || setgid(65534) != 0 || setuid(65534) != 0) return 2;
  strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return 3;
  return read(descriptor, &byte, 1) > 0;
}
