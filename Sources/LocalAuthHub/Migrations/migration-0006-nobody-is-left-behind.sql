-- A member can make roles that no entry of the circle's log names, and settings that keep its own role from going. Whoever
-- removes a device says who remains, and everybody else goes with it.

-- Who invited a device; null for the first one of a circle, and for devices from before this step.
alter table device add column sponsor name;

-- A share is longer; a shorter one would count nothing against the circle's share of the disk.
alter table key_share add check (length(body) >= 64) not valid;

-- Ends a device's role and what it has open. What it set for itself goes first; where it did so in another database the role
-- stays, and nobody can log in with it.
create or replace function drop_device(of_circle bigint, leaver name) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  delete from device where role = leaver and circle = of_circle;
  if not found then
    raise exception 'the circle has no such device' using errcode = 'invalid_parameter_value';
  end if;
  execute format('alter role %I nologin password null', leaver);
  perform end_sessions(leaver);
  begin
    execute format('grant %I to localauth_hub', leaver);
    execute format('drop owned by %I', leaver);
    execute format('drop role %I', leaver);
  exception when dependent_objects_still_exist then
    execute format('revoke localauth_device from %I', leaver);
  end;
end $$;

-- Makes the role of a device that is to join within ten minutes. Its name and password follow from the code that
-- the sponsor shows; the hub is told a verifier, and no password.
create or replace function invite(joiner name, verifier text, offered bytea) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  if joiner !~ '^localauth_[0-9a-f]{32}$' or not is_verifier(verifier) then
    raise exception 'an invitation has a role and a verifier' using errcode = 'invalid_parameter_value';
  end if;
  perform forget_invitations();
  if (select count(*) from device where circle = mine) >= 256 then
    raise exception 'a circle has at most 256 devices' using errcode = 'program_limit_exceeded';
  end if;
  execute format('create role %I login nosuperuser nocreatedb nocreaterole connection limit 4 password %L valid until %L in role localauth_device',
    joiner, verifier, now() + interval '10 minutes');
  insert into device (role, circle, expires, sponsor) values (joiner, mine, now() + interval '10 minutes', session_user);
  insert into invitation (role, offer) values (joiner, offered);
end $$;

-- Appends an entry to the circle's log, if its end is the expected one. One that removes a device names the entry that added
-- it, the role by which it called itself, where the zones end that its author has verified, and who remains: by the entries
-- that added them, or by their roles. Its role goes in the same transaction, with those of all who joined and are neither.
-- One with another recovery key names the role of the one before and nothing else: that wrote no records.
drop function circle_push(bigint, bytea, bytea, bigint, name, text[], bigint[], bytea[]);
create function circle_push(
  expected_number bigint, expected_digest bytea, entry bytea,
  removed_entry bigint default null, removed name default null,
  zones text[] default null, numbers bigint[] default null, digests bytea[] default null,
  members bigint[] default null, roles name[] default null
) returns answer
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  at circle;
  digest_of bytea := sha256(entry);
  -- What its sponsor said counts before what the device says.
  leaver name := coalesce((select d.role from device d where d.circle = mine and d.entry = removed_entry), removed);
  gone name;
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
    -- Only the zones that are named: anybody can push to one that nobody else knows, or what nobody can verify.
    if exists (
      select from unnest(zones, numbers, digests) as cut(name, number, digest)
        left join zone z on z.circle = mine and z.name = cut.name
        where (coalesce(z.head, 0), coalesce(z.head_digest, decode(repeat('00', 32), 'hex')))
          is distinct from (cut.number, cut.digest)
    ) then
      return (false, at.head, at.head_digest);
    end if;
    -- It may be gone already, at another member's word.
    if exists (select from device where role = leaver and circle = mine) then
      perform drop_device(mine, leaver);
    end if;
    for gone in
      select d.role from device d
        where d.circle = mine and d.expires is null and d.sponsor is not null and d.role <> session_user
          and (d.entry is null or d.entry <> all (members)) and d.role <> all (roles)
    loop
      perform drop_device(mine, gone);
    end loop;
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

-- As before, but zones are counted one push after another: several that began at once made more than there may be. What a
-- row takes beside its bytes counts, too: 400 for an entry and 200 for a record, or rows of nothing filled the disk.
create or replace function zone_push(
  to_zone text, expected_number bigint, expected_digest bytea, batch bytea, entry bytea, names bytea[], bodies bytea[]
) returns answer
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  at zone;
  earlier zone_entry;
  digest_of bytea := sha256(entry);
  growth bigint;
begin
  if cardinality(names) <> cardinality(bodies) or cardinality(names) > 1000
    or (select sum(length(b.body)) from unnest(bodies) as b(body)) > page_max() then
    raise exception 'a push has a body for each name, at most 1000, and together 8 MiB' using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from zone where circle = mine and name = to_zone) then
    perform 1 from circle where id = mine for update;
    if (select count(*) from zone where circle = mine) >= 1024 then
      raise exception 'a circle has at most 1024 zones' using errcode = 'program_limit_exceeded';
    end if;
    insert into zone (circle, name) values (mine, to_zone) on conflict do nothing;
  end if;
  select * into strict at from zone where circle = mine and name = to_zone for update;
  select * into earlier from zone_entry e where e.zone = at.id and e.batch = zone_push.batch;
  if found then return (true, earlier.number, earlier.digest); end if;
  if (at.head, at.head_digest) is distinct from (expected_number, expected_digest) then
    return (false, at.head, at.head_digest);
  end if;
  select length(entry) + 400 + coalesce(sum(length(b.body) + 200), 0) - coalesce((
      select sum(length(r.body) + 200) from record r where r.zone = at.id and r.name = any (names)
    ), 0) into growth from unnest(bodies) as b(body);
  perform charge(mine, growth);
  insert into zone_entry values (at.id, at.head + 1, digest_of, batch, entry);
  delete from record r using unnest(names, bodies) as c(name, body)
    where r.zone = at.id and r.name = c.name and c.body is null;
  insert into record
    select at.id, c.name, at.head + 1, c.body from unnest(names, bodies) as c(name, body) where c.body is not null
    on conflict (zone, name) do update set number = excluded.number, body = excluded.body;
  update zone set head = at.head + 1, head_digest = digest_of where id = at.id;
  return (true, at.head + 1, digest_of);
end $$;
