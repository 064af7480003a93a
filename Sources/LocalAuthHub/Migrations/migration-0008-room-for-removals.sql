-- What takes things or devices away takes room itself, so a circle whose share was used up could lose neither. It has a
-- reserve for that, which ends, too; behind its end devices can still be removed, and none be let in.

-- What removals past the reserve gave for what follows them; 0 again once the share is enough.
alter table circle add column removals_room bigint not null default 0;

-- How far what takes away may go past a share.
create function reserve(share bigint) returns bigint language sql immutable as 'select greatest(share / 16, 16777216)';

-- What the removal of a device gives past the reserve: for its entry, new keys, and their shares.
create function removal_room() returns bigint language sql immutable as 'select 2097152::bigint';

-- Counts bytes against the circle's share, or against its share with its reserve.
drop function charge(bigint, bigint);
create function charge(to_circle bigint, count bigint, from_reserve boolean default false) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  update circle c
    set bytes = greatest(0, c.bytes + count),
      removals_room = case when least(c.bytes, c.bytes + count) <= c.bytes_max then 0 else c.removals_room end
    where c.id = to_circle and (count <= 0 or c.bytes + count <= c.bytes_max
      or from_reserve and c.bytes + count <= c.bytes_max + reserve(c.bytes_max)
        + case when c.bytes > c.bytes_max then c.removals_room else 0 end);
  if not found then
    raise exception 'the circle has no room left' using errcode = 'disk_full';
  end if;
end $$;

-- Whoever let devices in and removed them again and again would have room without end.
create function refuse_past_reserve(of_circle bigint) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  if exists (select from circle c where c.id = of_circle and c.removals_room > 0 and c.bytes > c.bytes_max) then
    raise exception 'the circle has no room left' using errcode = 'disk_full';
  end if;
end $$;

-- As before, but an entry takes from the reserve, and its row counts, too.
create or replace function circle_push(
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
  members_before bigint;
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
  select count(*) into members_before from device d where d.circle = mine and d.expires is null;
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
  -- At the end of the reserve each device that went gives room for what follows.
  if at.bytes + removal_room() > at.bytes_max + reserve(at.bytes_max) then
    update circle c set removals_room = c.removals_room + removal_room() * (members_before - (
        select count(*) from device d where d.circle = mine and d.expires is null
      )) where c.id = mine;
  end if;
  perform charge(mine, length(circle_push.entry) + 400, true);
  insert into circle_entry values (mine, at.head + 1, digest_of, circle_push.entry);
  update circle set head = at.head + 1, head_digest = digest_of, digest = coalesce(at.digest, digest_of)
    where id = mine;
  if at.head = 0 then
    update device d set entry = 1 where d.role = session_user;
  end if;
  return (true, at.head + 1, digest_of);
end $$;

-- As before, but what makes nothing longer takes from the reserve.
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
  select coalesce(sum(length(b.body) + 200), 0) - coalesce((
      select sum(length(r.body) + 200) from record r where r.zone = at.id and r.name = any (names)
    ), 0) into growth from unnest(bodies) as b(body);
  -- Tombstones are no longer than what they take the place of, and neither is what is sealed anew.
  perform charge(mine, length(entry) + 400 + growth, growth <= 0);
  insert into zone_entry values (at.id, at.head + 1, digest_of, batch, entry);
  delete from record r using unnest(names, bodies) as c(name, body)
    where r.zone = at.id and r.name = c.name and c.body is null;
  insert into record
    select at.id, c.name, at.head + 1, c.body from unnest(names, bodies) as c(name, body) where c.body is not null
    on conflict (zone, name) do update set number = excluded.number, body = excluded.body;
  update zone set head = at.head + 1, head_digest = digest_of where id = at.id;
  return (true, at.head + 1, digest_of);
end $$;

-- As before, but shares take from the reserve: a removal makes new keys.
create or replace function share_put(of_zone text, of_epoch bigint, at_head bigint, receivers bytea[], bodies bytea[]) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  freed bigint;
  kept bigint;
begin
  if cardinality(receivers) <> cardinality(bodies) or cardinality(receivers) > 256 then
    raise exception 'each receiver has one share, and there are at most 256' using errcode = 'invalid_parameter_value';
  end if;
  with gone as (
    delete from key_share s where s.circle = mine and s.zone = of_zone and s.epoch = of_epoch and s.sender = session_user
      and s.receiver = any (receivers) and s.head <= at_head
      returning length(s.body) as size
  ) select coalesce(sum(size), 0) into freed from gone;
  with put as (
    insert into key_share as s (circle, zone, epoch, receiver, sender, body, head)
      select mine, of_zone, of_epoch, new.receiver, session_user, new.body, at_head
        from unnest(receivers, bodies) as new(receiver, body)
      on conflict do nothing
      returning length(s.body) as size
  ) select coalesce(sum(size), 0) into kept from put;
  perform charge(mine, kept - freed, true);
end $$;

-- As before, but the keys take from the reserve.
create or replace function older_put(of_zone text, under bigint, at_head bigint, epochs bigint[], bodies bytea[]) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  freed bigint;
  kept bigint;
begin
  if cardinality(epochs) <> cardinality(bodies) or cardinality(epochs) > 256 then
    raise exception 'each epoch has one key, and there are at most 256' using errcode = 'invalid_parameter_value';
  end if;
  with gone as (
    delete from older_key o where o.circle = mine and o.zone = of_zone and o.newer = under and o.epoch = any (epochs)
      and o.sender = session_user and o.head <= at_head
      returning length(o.body) + 200 as size
  ) select coalesce(sum(size), 0) into freed from gone;
  with put as (
    insert into older_key as o (circle, zone, newer, epoch, sender, body, head)
      select mine, of_zone, under, new.epoch, session_user, new.body, at_head
        from unnest(epochs, bodies) as new(epoch, body)
      on conflict do nothing
      returning length(o.body) + 200 as size
  ) select coalesce(sum(size), 0) into kept from put;
  perform charge(mine, kept - freed, true);
end $$;

-- As before, but nobody is invited past the reserve.
create or replace function invite(joiner name, verifier text, offered bytea) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  if joiner !~ '^localauth_[0-9a-f]{32}$' or not is_verifier(verifier) then
    raise exception 'an invitation has a role and a verifier' using errcode = 'invalid_parameter_value';
  end if;
  perform refuse_past_reserve(mine);
  perform forget_invitations();
  if (select count(*) from device where circle = mine) >= 256 then
    raise exception 'a circle has at most 256 devices' using errcode = 'program_limit_exceeded';
  end if;
  execute format('create role %I login nosuperuser nocreatedb nocreaterole connection limit 4 password %L valid until %L in role localauth_device',
    joiner, verifier, now() + interval '10 minutes');
  insert into device (role, circle, expires, sponsor) values (joiner, mine, now() + interval '10 minutes', session_user);
  insert into invitation (role, offer) values (joiner, offered);
end $$;

-- As before, but nobody joins past the reserve.
create or replace function admit(joiner name, reply bytea, of_entry bigint default null) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  -- No removal goes on beside it.
  perform 1 from circle where id = mine for update;
  perform refuse_past_reserve(mine);
  if of_entry > (select head from circle where id = mine) then
    raise exception 'the circle has no such entry' using errcode = 'invalid_parameter_value';
  end if;
  update device set expires = null, entry = of_entry where role = joiner and circle = mine and expires > now();
  if not found then
    raise exception 'no such device is invited' using errcode = 'invalid_parameter_value';
  end if;
  update invitation set answer = reply where role = joiner;
  execute format('alter role %I valid until %L', joiner, 'infinity');
end $$;
