#pragma once
#include <stdbool.h>

// Whether this process belongs to somebody who sits at this machine, by what no process can change about
// itself: the numbers that audit gave it at login, and what systemd-logind noted in root's files for them.
// Whatever is unclear is no.
bool seat_is_taken(void);
