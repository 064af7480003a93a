#pragma once
#include <stdbool.h>

// Where a process is, by what no process can change about itself: the numbers that audit gave it at login, and
// what systemd-logind noted in root's files for them. Whatever is unclear is no.

// Whether this process belongs to somebody who sits at this machine: in a session at a seat that is in front, so
// that its screen is the one that is shown.
bool seat_is_taken(void);

// The same of a process that is named as in /proc, which must have a session.
bool seat_is_of(const char *process);

// Whether this process certainly comes from no login, as what a service manager starts.
bool seat_is_without_login(void);
