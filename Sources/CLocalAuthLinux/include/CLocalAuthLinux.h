// What Swift's Glibc overlay hides behind _GNU_SOURCE, as functions and structs of our own.
#pragma once
#include "drafts.h"
#include "events.h"
#include "files.h"
#include "memory.h"
#include "process.h"
#include "sockets.h"
#include "terminal.h"
