-- An entry with a recovery key ends the role of the one before in the same transaction. A recovery key writes no records, so
-- nobody says where the zones end: `zones` is null.
create or replace function circle_push(
  expected_number bigint, expected_digest bytea, entry bytea,
  removed_entry bigint default null, removed name default null,
  zones text[] default '{}', numbers bigint[] default '{}', digests bytea[] default '{}'
) returns answer
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  at circle;
  digest_of bytea := sha256(entry);
  -- What its sponsor said counts before what the device says.
  leaver name := coalesce((select d.role from device d where d.circle = mine and d.entry = removed_entry), removed);
begin
  -- A device that is to be removed may hold the locks that this takes, in a transaction that it does not end.
  if exists (select from device where role = leaver and circle = mine) then
    begin
      perform 1 from circle where id = mine for update nowait;
      perform 1 from zone where circle = mine order by id for update nowait;
    exception when lock_not_available then
      perform end_sessions(leaver);
    end;
  end if;
  select * into strict at from circle where id = mine for update;
  if (at.head, at.head_digest) is distinct from (expected_number, expected_digest) then
    -- Whoever did not hear the answer sends the entry again.
    if at.head = expected_number + 1 and at.head_digest = digest_of then
      return (true, at.head, at.head_digest);
    end if;
    return (false, at.head, at.head_digest);
  end if;
  if removed_entry is not null or removed is not null then
    perform 1 from zone where circle = mine order by id for update;
    if zones is not null and exists (
      select from (select z.name, z.head, z.head_digest from zone z where z.circle = mine and z.head > 0) as there
        full join unnest(zones, numbers, digests) as cut(name, number, digest) using (name)
        where (there.head, there.head_digest) is distinct from (cut.number, cut.digest)
    ) then
      return (false, at.head, at.head_digest);
    end if;
    if leaver is not null then
      perform drop_device(mine, leaver);
    end if;
  end if;
  perform charge(mine, length(circle_push.entry));
  insert into circle_entry values (mine, at.head + 1, digest_of, circle_push.entry);
  update circle set head = at.head + 1, head_digest = digest_of, digest = coalesce(at.digest, digest_of)
    where id = mine;
  if at.head = 0 then
    update device d set entry = 1 where d.role = session_user;
  end if;
  return (true, at.head + 1, digest_of);
end $$;
