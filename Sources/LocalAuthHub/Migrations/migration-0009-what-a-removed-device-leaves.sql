-- A member that is removed leaves no role behind, and nothing that keeps others from what they need: who remains is known by
-- the entry of the circle's log that let it in, an entry is given by the role that pushed it, and what is kept counts as what it
-- takes on the disk.

-- Whose entry it is: only that role says which role it added. Null for entries from before this step, by which nobody is let in
-- any more.
alter table circle_entry add column pusher name;

-- Whether a role remains at a removal because it is named: a recovery key from before this step. Others have an entry.
alter table device add column by_role boolean not null default false;
update device set by_role = true where entry is null and expires is null and sponsor is not null;

-- As before, and behind each wait it is asked anew: in another isolation it would be what it was at the beginning.
create or replace function own_circle() returns bigint
language plpgsql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  found_circle bigint;
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise exception 'devices work in READ COMMITTED' using errcode = 'feature_not_supported';
  end if;
  select circle into found_circle from device where role = session_user and expires is null;
  if found_circle is null then
    raise exception 'you are no device of a circle' using errcode = 'insufficient_privilege';
  end if;
  return found_circle;
end $$;

-- What a device gets, and how many a sender has for it, is found without looking at all that a circle has.
create index key_share_receiver on key_share (circle, receiver, sender);

-- What a row of shares, older keys and checkpoints takes beside its bytes.
create function row_size() returns integer language sql immutable as 'select 500';

-- Rows that are here count from now on as new ones do; shares of who is gone count nothing with devices, and go.
with gone as (
  delete from key_share s where not exists (select from device d where d.role = s.sender and d.circle = s.circle)
    returning s.circle, length(s.body) as size
), freed as (
  select circle, sum(size) as size from gone group by circle
), left_over as (
  select s.circle, count(*) * row_size() as size from key_share s
    where exists (select from device d where d.role = s.sender and d.circle = s.circle) group by s.circle
  union all
  select o.circle, count(*) * (row_size() - 200) from older_key o group by o.circle
  union all
  select z.circle, sum(length(c.body) + row_size()) from checkpoint c join zone z on z.id = c.zone group by z.circle
  union all
  select z.circle, count(*) * row_size() from checkpoint_part p join zone z on z.id = p.zone group by z.circle
)
update circle c set bytes = greatest(0, c.bytes
  + coalesce((select sum(l.size) from left_over l where l.circle = c.id), 0)
  - coalesce((select f.size from freed f where f.circle = c.id), 0));

-- As before, and its shares and checkpoints go with it, which count no more: keys of older epochs stay, for who has the newer ones.
create or replace function drop_device(of_circle bigint, leaver name) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  freed bigint;
  patience text := current_setting('lock_timeout');
begin
  -- Its sessions end before its rows are touched; it may begin another one in between.
  for attempt in 1..20 loop
    perform end_sessions(leaver);
    begin
      perform set_config('lock_timeout', '200ms', true);
      delete from device where role = leaver and circle = of_circle;
      if not found then
        raise exception 'the circle has no such device' using errcode = 'invalid_parameter_value';
      end if;
      execute format('alter role %I nologin password null', leaver);
      exit;
    exception when lock_not_available then
      if attempt = 20 then raise; end if;
    end;
  end loop;
  perform set_config('lock_timeout', patience, true);
  perform end_sessions(leaver);
  with gone as (
    delete from key_share s where s.circle = of_circle and s.sender = leaver returning length(s.body) + row_size() as size
  ) select sum(size) into freed from gone;
  if freed > 0 then
    perform charge(of_circle, -freed);
  end if;
  perform drop_checkpoints(of_circle, array(
    select c from checkpoint c join zone z on z.id = c.zone where z.circle = of_circle and c.author = leaver
  ));
  begin
    execute format('grant %I to localauth_hub', leaver);
    execute format('drop owned by %I', leaver);
    execute format('drop role %I', leaver);
  exception when dependent_objects_still_exist then
    execute format('revoke localauth_device from %I', leaver);
  end;
end $$;

-- As before, but a device is let in by its sponsor alone, and by an entry that its sponsor pushed.
create or replace function admit(joiner name, reply bytea, of_entry bigint default null) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  -- No removal goes on beside it.
  perform 1 from circle where id = mine for update;
  perform refuse_past_reserve(mine);
  perform own_circle();
  if of_entry is not null and not exists (
    select from circle_entry e where e.circle = mine and e.number = of_entry and e.pusher = session_user
  ) then
    raise exception 'the circle has no such entry of yours' using errcode = 'invalid_parameter_value';
  end if;
  update device set expires = null, entry = of_entry
    where role = joiner and circle = mine and expires > now() and sponsor = session_user;
  if not found then
    raise exception 'no such device is invited' using errcode = 'invalid_parameter_value';
  end if;
  update invitation set answer = reply where role = joiner;
  execute format('alter role %I valid until %L', joiner, 'infinity');
end $$;

-- As before, but who remains is known by an entry: that of another recovery key names its role, which its sponsor let in before.
drop function circle_push(bigint, bytea, bytea, bigint, name, text[], bigint[], bytea[], bigint[], name[]);
create function circle_push(
  expected_number bigint, expected_digest bytea, entry bytea,
  removed_entry bigint default null, removed name default null,
  zones text[] default null, numbers bigint[] default null, digests bytea[] default null,
  members bigint[] default null, roles name[] default null, added name default null
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
  perform own_circle();
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
    if members is not null then
      for gone in
        select d.role from device d
          where d.circle = mine and d.expires is null and d.sponsor is not null and d.role <> session_user
            and d.role is distinct from added and (d.entry is null or d.entry <> all (members)) and not (d.by_role and d.role = any (roles))
      loop
        perform drop_device(mine, gone);
      end loop;
    end if;
  end if;
  -- At the end of the reserve each device that went gives room for what follows.
  if at.bytes + removal_room() > at.bytes_max + reserve(at.bytes_max) then
    update circle c set removals_room = c.removals_room + removal_room() * (members_before - (
        select count(*) from device d where d.circle = mine and d.expires is null
      )) where c.id = mine;
  end if;
  perform charge(mine, length(circle_push.entry) + 400, true);
  insert into circle_entry values (mine, at.head + 1, digest_of, circle_push.entry, session_user);
  update circle set head = at.head + 1, head_digest = digest_of, digest = coalesce(at.digest, digest_of)
    where id = mine;
  update device d set entry = at.head + 1
    where d.circle = mine and d.entry is null and d.expires is null
      and case when at.head = 0 then d.role = session_user else d.role = added and d.sponsor = session_user end;
  return (true, at.head + 1, digest_of);
end $$;

-- As before, but it takes nothing of a device that was removed while this waited for the zone.
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
  perform own_circle();
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

-- As before, but in the order of the index: a sort of all that follows would be one for each page, and past the limit of sorts.
create or replace function zone_records(of_zone text, upto bigint, behind bytea default '')
returns table (name bytea, body bytea)
language plpgsql stable security definer set search_path = localauth, pg_catalog, pg_temp set enable_sort = off as $$
declare
  mine bigint := own_circle();
  at bigint := (select z.id from zone z where z.circle = mine and z.name = of_zone);
  total bigint := 0;
begin
  for name, body in
    select r.name, r.body from record r
      where r.zone = at and r.number <= upto and r.name > behind order by r.name
  loop
    total := total + length(body) + 64;
    if total > page_max() then return; end if;
    return next;
  end loop;
  name := null;
  body := null;
  return next;
end $$;

-- As before, but a share counts what its row takes, and one sender has at most 1,024 for one device.
create or replace function share_put(of_zone text, of_epoch bigint, at_head bigint, receivers bytea[], bodies bytea[]) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  freed bigint;
  kept bigint;
  one bytea;
begin
  if cardinality(receivers) <> cardinality(bodies) or cardinality(receivers) > 256 then
    raise exception 'each receiver has one share, and there are at most 256' using errcode = 'invalid_parameter_value';
  end if;
  perform 1 from circle where id = mine for update;
  perform own_circle();
  with gone as (
    delete from key_share s where s.circle = mine and s.zone = of_zone and s.epoch = of_epoch and s.sender = session_user
      and s.receiver = any (receivers) and s.head <= at_head
      returning length(s.body) + row_size() as size
  ) select coalesce(sum(size), 0) into freed from gone;
  with put as (
    insert into key_share as s (circle, zone, epoch, receiver, sender, body, head)
      select mine, of_zone, of_epoch, new.receiver, session_user, new.body, at_head
        from unnest(receivers, bodies) as new(receiver, body)
      on conflict do nothing
      returning length(s.body) + row_size() as size
  ) select coalesce(sum(size), 0) into kept from put;
  -- Of one sender a device gets the newest.
  foreach one in array receivers loop
    with gone as (
      delete from key_share s where s.ctid = any (array(
        select k.ctid from key_share k where k.circle = mine and k.receiver = one and k.sender = session_user
          order by k.epoch desc, k.zone offset 1024
      )) returning length(s.body) + row_size() as size
    ) select freed + coalesce(sum(size), 0) into freed from gone;
  end loop;
  perform charge(mine, kept - freed, true);
end $$;

-- The shares for a device, as many as fit 8 MiB: of each sender and each of its zones the newest first, so that nobody's stand in
-- the way of another's.
create or replace function shares(of_receiver bytea) returns table (body bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select s.body from (
      select o.*, row_number() over (partition by o.sender order by o.place, o.zone) as turn from (
        select k.zone, k.epoch, k.receiver, k.sender,
            row_number() over (partition by k.sender, k.zone order by k.epoch desc) as place
          from key_share k where k.circle = own_circle() and k.receiver = of_receiver
      ) as o order by turn, o.epoch desc, o.zone, o.sender limit 4096
    ) as f join key_share s on (s.circle, s.zone, s.epoch, s.receiver, s.sender)
      = (own_circle(), f.zone, f.epoch, f.receiver, f.sender)
    order by f.turn, f.epoch desc, f.zone, f.sender
$$;

-- As before, but a row counts what it takes.
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
  perform 1 from circle where id = mine for update;
  perform own_circle();
  with gone as (
    delete from older_key o where o.circle = mine and o.zone = of_zone and o.newer = under and o.epoch = any (epochs)
      and o.sender = session_user and o.head <= at_head
      returning length(o.body) + row_size() as size
  ) select coalesce(sum(size), 0) into freed from gone;
  with put as (
    insert into older_key as o (circle, zone, newer, epoch, sender, body, head)
      select mine, of_zone, under, new.epoch, session_user, new.body, at_head
        from unnest(epochs, bodies) as new(epoch, body)
      on conflict do nothing
      returning length(o.body) + row_size() as size
  ) select coalesce(sum(size), 0) into kept from put;
  perform charge(mine, kept - freed, true);
end $$;

-- The keys of older epochs, as many as a message has: those of senders that began an epoch when they wrapped them come first, and
-- of each sender those of the newest epochs.
create or replace function older(of_zone text, under bigint) returns table (epoch bigint, body bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select f.epoch, f.body from (
      select o.epoch, o.body, o.sender, row_number() over (partition by o.sender order by o.epoch desc) as turn,
          exists (select from circle_entry e where (e.circle, e.number, e.pusher) = (o.circle, o.head + 1, o.sender)) as is_begun
        from older_key o where o.circle = own_circle() and o.zone = of_zone and o.newer = under and o.epoch > 0
        order by is_begun desc, turn, o.sender limit 256
    ) as f order by f.epoch desc, f.sender
$$;

-- As before, but nobody says what another role has said: which role is whose would be anybody's word.
create or replace function heartbeat_put(beat bytea) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  if exists (
    select from heartbeat h join device d on d.role = h.role
      where d.circle = mine and h.role <> session_user and h.body = beat
  ) then
    raise exception 'another device said that' using errcode = 'invalid_parameter_value';
  end if;
  insert into heartbeat (role, body) values (session_user, beat)
    on conflict (role) do update set body = excluded.body, at = now();
end $$;

-- As before, but word and rows count, too, and a device has one whole checkpoint of a zone, the latest.
create or replace function checkpoint_put(
  of_zone text, at_number bigint, at_digest bytea, word bytea, of_part integer, of_parts integer, of_lines bytea
) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  at zone;
  added bigint;
begin
  select * into at from zone z where z.circle = mine and z.name = of_zone for update;
  perform own_circle();
  if at.id is null or of_part not between 0 and of_parts - 1 or not exists (
    select from zone_entry e where e.zone = at.id and e.number = at_number and e.digest = at_digest
  ) then
    raise exception 'the zone has no such place' using errcode = 'invalid_parameter_value';
  end if;
  -- It may be done after a later one that was asked for behind it.
  if exists (
    select from checkpoint c where c.zone = at.id and c.author = session_user and c.number > at_number and is_complete(c)
  ) then
    return;
  end if;
  -- A device has one that is not complete, and a later word takes the place of an earlier one.
  perform drop_checkpoints(mine, array(
    select c from checkpoint c where c.zone = at.id and c.author = session_user
      and (c.number <> at_number and not is_complete(c) or c.number = at_number and (c.body, c.parts) <> (word, of_parts))
  ));
  with put as (
    insert into checkpoint values (at.id, at_number, session_user, of_parts, word) on conflict do nothing
      returning length(body) + row_size() as size
  ) select coalesce(sum(size), 0) into added from put;
  with put as (
    insert into checkpoint_part values (at.id, at_number, session_user, of_part, of_lines) on conflict do nothing
      returning length(lines) + row_size() as size
  ) select added + coalesce(sum(size), 0) into added from put;
  if added > 0 then
    perform charge(mine, added);
  end if;
  if (select is_complete(c) from checkpoint c where c.zone = at.id and c.number = at_number and c.author = session_user) then
    perform drop_checkpoints(mine, array(select c from checkpoint c where c.zone = at.id and c.number < at_number));
  end if;
end $$;

create or replace function drop_checkpoints(of_circle bigint, words checkpoint[]) returns void
language plpgsql set search_path = localauth, pg_catalog, pg_temp as $$
begin
  if cardinality(words) = 0 then
    return;
  end if;
  perform charge(of_circle, -(
    select (sum(length(c.body) + row_size()) + coalesce(sum(p.size), 0))::bigint from unnest(words) as c left join lateral (
      select sum(length(p.lines) + row_size()) as size from checkpoint_part p
        where (p.zone, p.number, p.author) = (c.zone, c.number, c.author)
    ) as p on true
  ));
  delete from checkpoint d using unnest(words) as c
    where (d.zone, d.number, d.author) = (c.zone, c.number, c.author);
end $$;
