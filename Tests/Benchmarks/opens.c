// Opens, reads and closes the files of a directory, one after the other: opens DIRECTORY FILES STEPS
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

int main(int count, char **arguments) {
  if (count != 4) fail("usage: opens DIRECTORY FILES COUNT");
  long files = atol(arguments[2]), calls = atol(arguments[3]);
  unsigned long long checksum = 0;
  double start = now_us();
  for (long i = 0; i < calls; i++) {
    char path[4096];
    unsigned char content[4096];
    snprintf(path, sizeof path, "%s/%ld", arguments[1], i % files);
    int file = open(path, O_RDONLY);
    if (file < 0 || read(file, content, sizeof content) != sizeof content) fail("%s", path);
    checksum = checksum * 31 + content[i % 4096];
    close(file);
  }
  printf("%f %llx\n", (now_us() - start) * 1000 / calls, checksum);
  return 0;
}
