#include "sockets.h"
