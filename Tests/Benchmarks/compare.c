// Measures LocalAuth beside the plainest C that does the same, alternating between the two.
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name, *arguments;
  int count;
  int (*run)(int count, char **arguments);
} subcommands[] = {
    {"commands", "NAME LIMIT ROUNDS BATCH COMMAND… -- COMMAND…", 7, compare_commands},
    {"peaks", "NAME LIMIT COMMAND… -- COMMAND…", 5, compare_peaks},
    {"run", "NAME SECONDS COMMAND…", 3, measure_run},
    {"machines", "NAME LIMIT OURS THEIRS STEPS", 5, compare_machines},
    {"paces", "NAME LIMIT OURS THEIRS STEPS", 5, compare_paces},
    {"round-trip", "SOCKET DEVICE DAEMON-PID", 3, compare_round_trip},
    {"attempt", "SOCKET DEVICE DIRECTORY", 3, compare_attempt},
    {"grant", "SOCKET DEVICE DAEMON-PID", 3, compare_grant},
    {"minting", "SOCKET DEVICE DAEMON-PID", 3, compare_minting},
    {"polkit", "SOCKET DEVICE", 2, compare_polkit},
    {"module", "SOCKET DEVICE SERVICE PERMIT-SERVICE USER UID", 6, compare_module},
    {"pam", "NAME LIMIT SOCKET DEVICE SERVICE CONFDIR DIRECTORY fresh|held ROUNDS BATCH", 10,
     compare_pam},
    {"fprintd", "SENSOR COMMAND… -- FPRINTD-VERIFY…", 4, compare_fprintd},
    {"reader", "SENSOR COMMAND… -- FPRINTD-VERIFY…", 4, compare_reader},
    {"touch", "SENSOR COMMAND…", 2, touch_fprintd},
    {"memory", "SOCKET DAEMON-PID CLIENTS", 3, compare_memory},
    {"start", "DAEMON DIRECTORY", 2, compare_start},
    {"item", "SOCKET DEVICE DAEMON-PID NAME", 4, compare_item},
    {"first", "SOCKET DEVICE DAEMON-PID ITEMS NAME", 5, compare_first},
    {"add", "SOCKET DEVICE HOME DIRECTORY", 4, compare_add},
    {"reads", "SOCKET DEVICE COUNT [IGNORED]", 3, measure_reads},
    {"bytes", "FILE ITEMS NAME", 3, measure_bytes},
    {"list", "SOCKET DEVICE NAME", 3, compare_list},
    {"call", "SOCKET (REQUEST EXPECTED)…", 3, send_calls},
};

int main(int count, char **arguments) {
  for (size_t i = 0; count > 1 && i < sizeof subcommands / sizeof *subcommands; i++) {
    if (strcmp(arguments[1], subcommands[i].name) != 0) continue;
    if (count - 2 >= subcommands[i].count) return subcommands[i].run(count - 2, arguments + 2);
    fprintf(stderr, "usage: compare %s %s\n", subcommands[i].name, subcommands[i].arguments);
    return 2;
  }
  for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
    fprintf(stderr, "usage: compare %s %s\n", subcommands[i].name, subcommands[i].arguments);
  return 2;
}
