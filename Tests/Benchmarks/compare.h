// The comparisons, one a subcommand of `compare`; run.sh says what each is given.
#pragma once

int compare_commands(int count, char **arguments);
int compare_peaks(int count, char **arguments);
int measure_run(int count, char **arguments);
int compare_machines(int count, char **arguments);
int compare_paces(int count, char **arguments);
int compare_round_trip(int count, char **arguments);
int compare_attempt(int count, char **arguments);
int compare_grant(int count, char **arguments);
int compare_minting(int count, char **arguments);
int compare_polkit(int count, char **arguments);
int compare_module(int count, char **arguments);
int compare_pam(int count, char **arguments);
int compare_fprintd(int count, char **arguments);
int compare_reader(int count, char **arguments);
int touch_fprintd(int count, char **arguments);
int compare_memory(int count, char **arguments);
int compare_start(int count, char **arguments);
int compare_item(int count, char **arguments);
int compare_first(int count, char **arguments);
int compare_add(int count, char **arguments);
int measure_reads(int count, char **arguments);
int measure_bytes(int count, char **arguments);
int compare_list(int count, char **arguments);
int send_calls(int count, char **arguments);
