#pragma once

/// Has names that are noted from now on removed before SIGINT, SIGTERM, SIGHUP or SIGQUIT ends the process. It is for a
/// program to ask for, because handlers are the program's. A signal that is ignored or handled stays so.
void la_drafts_go_with_signals(void);

/// Notes a name in a directory that is held open until it is forgotten; returns its place, or -1 if nobody asked for
/// that, or there is no room.
int la_draft_note(int directory, const char *_Nonnull name);

/// Forgets what was noted at a place; -1 is none.
void la_draft_forget(int place);
