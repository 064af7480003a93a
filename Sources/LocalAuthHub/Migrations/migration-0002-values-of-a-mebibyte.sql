-- A value of a key-value store has up to 1 MiB, and its sealed body is padded to the next size.
alter table record drop constraint record_body_check;
-- Every body that is there fits, so nothing has to be read.
alter table record add constraint record_body_check check (length(body) <= 1310720) not valid;
