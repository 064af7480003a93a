#include "terminal.h"
