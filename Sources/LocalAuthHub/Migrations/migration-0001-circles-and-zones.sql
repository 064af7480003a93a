-- Circles of devices, and zones of records, as a hub keeps them that can read nothing.
--
-- Whoever connects is the role of one device and may call the functions at the end, and nothing else. A device's role is
-- made when it is invited, so the hub knows who speaks without reading a message. Everything that a device must not
-- take on trust is signed by devices, and verified by them; what is checked here keeps devices from each other's way.

create table circle (
  id bigint generated always as identity primary key,
  -- The entry that founded it; null until then.
  digest bytea check (length(digest) = 32),
  head bigint not null default 0,
  head_digest bytea not null default decode(repeat('00', 32), 'hex') check (length(head_digest) = 32),
  bytes_max bigint not null default 10737418240,
  bytes bigint not null default 0,
  -- Anybody may listen on a channel, so its name is one that nobody guesses.
  channel name not null default 'localauth_' || replace(gen_random_uuid()::text, '-', ''),
  made timestamptz not null default now()
);

create table device (
  role name primary key,
  circle bigint not null references circle,
  -- An invited device has until then to join; null for one that has.
  expires timestamptz,
  made timestamptz not null default now(),
  seen timestamptz
);
create index device_circle on device (circle);

create table circle_entry (
  circle bigint not null references circle,
  number bigint not null,
  digest bytea not null,
  body bytea not null check (length(body) <= 262144),
  primary key (circle, number)
);

create table zone (
  id bigint generated always as identity primary key,
  circle bigint not null references circle,
  name text not null check (octet_length(name) between 1 and 64),
  head bigint not null default 0,
  head_digest bytea not null default decode(repeat('00', 32), 'hex'),
  unique (circle, name)
);

create table zone_entry (
  zone bigint not null references zone,
  number bigint not null,
  digest bytea not null,
  batch bytea not null check (length(batch) = 16),
  body bytea not null check (length(body) <= 524288),
  primary key (zone, number),
  unique (zone, batch)
);

-- The current body of each record, and the entry that brought it.
create table record (
  zone bigint not null references zone,
  name bytea not null check (length(name) = 32),
  number bigint not null,
  body bytea not null check (length(body) <= 1048576),
  primary key (zone, name)
);
create index record_number on record (zone, number);
alter table record alter column body set storage external;

-- Two devices may begin the same epoch at once; the circle's log says whose it is, so each has shares of its own.
create table key_share (
  circle bigint not null references circle,
  zone text not null check (octet_length(zone) between 1 and 64),
  epoch bigint not null,
  receiver bytea not null check (length(receiver) = 16),
  sender name not null,
  body bytea not null check (length(body) <= 2048),
  primary key (circle, zone, epoch, receiver, sender)
);

-- The keys of an epoch, wrapped under those of a newer one, for devices that join later.
create table older_key (
  circle bigint not null references circle,
  zone text not null check (octet_length(zone) between 1 and 64),
  newer bigint not null,
  epoch bigint not null check (epoch < newer),
  sender name not null,
  body bytea not null check (length(body) between 1 and 256),
  primary key (circle, zone, newer, epoch, sender)
);

-- What a zone had at a place, by a device's word, so that nobody needs all entries before it.
create table checkpoint (
  zone bigint not null references zone,
  number bigint not null,
  author name not null,
  parts integer not null check (parts between 1 and 20),
  body bytea not null check (length(body) <= 1024),
  primary key (zone, number, author)
);
create table checkpoint_part (
  zone bigint not null,
  number bigint not null,
  author name not null,
  part integer not null,
  lines bytea not null check (length(lines) <= 4194304),
  primary key (zone, number, author, part),
  foreign key (zone, number, author) references checkpoint on delete cascade
);

create table heartbeat (
  role name primary key references device on delete cascade,
  body bytea not null check (length(body) <= 131072),
  at timestamptz not null default now()
);

-- What the sponsor tells an invited device, what that asks, and what the sponsor answers. All of it has a code that only
-- the two can make.
create table invitation (
  role name primary key references device on delete cascade,
  offer bytea not null check (length(offer) <= 4096),
  request bytea check (length(request) <= 4096),
  answer bytea check (length(answer) <= 4096)
);

-- Whether a push was taken, and where the chain ends now.
create type answer as (accepted boolean, number bigint, digest bytea);

-- The newest step of this schema, for devices, which see no table.
create function schema_version() returns integer
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select max(number) from migration
$$;

-- MARK: Who speaks

-- The circle of the device that speaks; an error for anybody else.
create function own_circle() returns bigint
language plpgsql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  found_circle bigint;
begin
  select circle into found_circle from device where role = session_user and expires is null;
  if found_circle is null then
    raise exception 'you are no device of a circle' using errcode = 'insufficient_privilege';
  end if;
  return found_circle;
end $$;

-- Counts bytes against the circle's share.
create function charge(to_circle bigint, count bigint) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  update circle set bytes = greatest(0, bytes + count)
    where id = to_circle and (count <= 0 or bytes + count <= bytes_max);
  if not found then
    raise exception 'the circle has no room left' using errcode = 'disk_full';
  end if;
end $$;

-- Where a page ends, in bytes: a device refuses a longer message.
create function page_max() returns integer language sql immutable as 'select 8388608';

-- MARK: The circle's log

-- Appends an entry to the circle's log, if it ends where the device thinks. An entry that removes a device names it, and
-- the heads of all zones: it is taken at these heads only, and the device is disconnected.
create function circle_push(
  expected_number bigint, expected_digest bytea, entry bytea,
  removed name default null, zones text[] default '{}', numbers bigint[] default '{}', digests bytea[] default '{}'
) returns answer
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  at circle;
  digest_of bytea := sha256(entry);
begin
  -- A device that is to be removed may hold the locks that this takes, in a transaction that it does not end.
  if exists (select from device where role = removed and circle = mine) then
    begin
      perform 1 from circle where id = mine for update nowait;
      perform 1 from zone where circle = mine order by id for update nowait;
    exception when lock_not_available then
      perform end_sessions(removed);
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
  if removed is not null then
    perform 1 from zone where circle = mine order by id for update;
    if exists (
      select from (select z.name, z.head, z.head_digest from zone z where z.circle = mine and z.head > 0) as there
        full join unnest(zones, numbers, digests) as cut(name, number, digest) using (name)
        where (there.head, there.head_digest) is distinct from (cut.number, cut.digest)
    ) then
      return (false, at.head, at.head_digest);
    end if;
    perform drop_device(mine, removed);
  end if;
  perform charge(mine, length(entry));
  insert into circle_entry values (mine, at.head + 1, digest_of, entry);
  update circle set head = at.head + 1, head_digest = digest_of, digest = coalesce(at.digest, digest_of)
    where id = mine;
  return (true, at.head + 1, digest_of);
end $$;

-- The entries of the circle's log behind a number, as many as fit 8 MiB.
create function circle_pull(after bigint) returns table (number bigint, body bytea)
language plpgsql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  total bigint := 0;
begin
  for number, body in
    select e.number, e.body from circle_entry e where e.circle = own_circle() and e.number > after order by e.number
  loop
    total := total + length(body);
    exit when total > page_max();
    return next;
  end loop;
end $$;

-- MARK: Zones

-- Appends an entry to a zone, with the bodies that it brings; a body that is null drops the record. The same batch gets
-- the same answer.
create function zone_push(
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
  if (select count(*) from zone where circle = mine) >= 1024
    and not exists (select from zone where circle = mine and name = to_zone) then
    raise exception 'a circle has at most 1024 zones' using errcode = 'program_limit_exceeded';
  end if;
  insert into zone (circle, name) values (mine, to_zone) on conflict do nothing;
  select * into strict at from zone where circle = mine and name = to_zone for update;
  select * into earlier from zone_entry e where e.zone = at.id and e.batch = zone_push.batch;
  if found then return (true, earlier.number, earlier.digest); end if;
  if (at.head, at.head_digest) is distinct from (expected_number, expected_digest) then
    return (false, at.head, at.head_digest);
  end if;
  select length(entry) + coalesce(sum(length(b.body)), 0) - coalesce((
      select sum(length(r.body)) from record r where r.zone = at.id and r.name = any (names)
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

-- The entries of a zone behind a number, and the records that none of the entries behind those changes again. A page has
-- whole entries, and ends at 8 MiB unless it is one.
create function zone_pull(of_zone text, after bigint, most integer default 256)
returns table (kind text, number bigint, name bytea, body bytea)
language plpgsql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  at zone;
  upto bigint;
begin
  select * into at from zone z where z.circle = own_circle() and z.name = of_zone;
  if not found then return; end if;
  select max(e.number) into upto from (
    select f.number, sum(f.size) over (order by f.number) as total, row_number() over (order by f.number) as place from (
      select z.number, length(z.body) + coalesce((
          select sum(length(r.body)) from record r where r.zone = at.id and r.number = z.number
        ), 0) as size
        from zone_entry z where z.zone = at.id and z.number > after
        order by z.number limit least(greatest(most, 1), 1024)
    ) as f
  ) as e where e.total <= page_max() or e.place = 1;
  upto := coalesce(upto, after);
  return query select 'head', at.head, null::bytea, at.head_digest;
  return query select 'entry', e.number, null::bytea, e.body from zone_entry e
    where e.zone = at.id and e.number > after and e.number <= upto order by e.number;
  return query select 'record', r.number, r.name, r.body from record r
    where r.zone = at.id and r.number > after and r.number <= upto order by r.number, r.name;
end $$;

-- The records of a zone that came with entries up to a number, behind a name; a row without one is the end of all.
create function zone_records(of_zone text, upto bigint, behind bytea default '')
returns table (name bytea, body bytea)
language plpgsql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  total bigint := 0;
begin
  for name, body in
    select r.name, r.body from record r join zone z on z.id = r.zone
      where z.circle = own_circle() and z.name = of_zone and r.number <= upto and r.name > behind order by r.name
  loop
    total := total + length(body) + 64;
    if total > page_max() then return; end if;
    return next;
  end loop;
  name := null;
  body := null;
  return next;
end $$;

-- Where everything ends, and the hub's clock.
create function heads() returns table (zone text, number bigint, digest bytea, milliseconds bigint)
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  at bigint := extract(epoch from clock_timestamp()) * 1000;
begin
  update device set seen = now() where role = session_user and (seen is null or seen < now() - interval '1 minute');
  return query
    select null::text, c.head, c.head_digest, at from circle c where c.id = mine
    union all
    select z.name, z.head, z.head_digest, at from zone z where z.circle = mine and z.head > 0;
end $$;

-- Tells the circle's devices that something came. It is a transaction of its own, behind that of the push: a
-- notification takes a lock of the whole server until its transaction has ended.
create function tell() returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  perform own_circle();
  perform pg_notify(channel(), '');
end $$;

-- The channel to listen on; null for a device that is invited and has not joined.
create function channel() returns text
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select c.channel::text from circle c join device d on d.circle = c.id
    where d.role = session_user and d.expires is null
$$;

-- MARK: Keys and heartbeats

-- Shares of an epoch, for all when it begins and for one who joins later; those for the same receivers go.
create function share_put(of_zone text, of_epoch bigint, receivers bytea[], bodies bytea[]) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  freed bigint;
begin
  if cardinality(receivers) <> cardinality(bodies) or cardinality(receivers) > 256 then
    raise exception 'each receiver has one share, and there are at most 256' using errcode = 'invalid_parameter_value';
  end if;
  with gone as (
    delete from key_share s where s.circle = mine and s.zone = of_zone and s.epoch = of_epoch and s.sender = session_user
      and s.receiver = any (receivers)
      returning length(s.body) as size
  ) select coalesce(sum(size), 0) into freed from gone;
  perform charge(mine, (select coalesce(sum(length(b)), 0) from unnest(bodies) b) - freed);
  insert into key_share select mine, of_zone, of_epoch, s.receiver, session_user, s.body
    from unnest(receivers, bodies) as s(receiver, body);
end $$;

-- The shares for a device, the newest first, as many as fit 8 MiB.
create function shares(of_receiver bytea) returns table (body bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select s.body from key_share s where s.circle = own_circle() and s.receiver = of_receiver
    order by s.epoch desc, s.zone, s.sender limit 4096
$$;

create function older_put(of_zone text, under bigint, epochs bigint[], bodies bytea[]) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  freed bigint;
begin
  if cardinality(epochs) <> cardinality(bodies) or cardinality(epochs) > 256 then
    raise exception 'each epoch has one key, and there are at most 256' using errcode = 'invalid_parameter_value';
  end if;
  with gone as (
    delete from older_key o where o.circle = mine and o.zone = of_zone and o.newer = under and o.epoch = any (epochs)
      and o.sender = session_user returning length(o.body) as size
  ) select coalesce(sum(size), 0) into freed from gone;
  perform charge(mine, (select coalesce(sum(length(b)), 0) from unnest(bodies) b) - freed);
  insert into older_key select mine, of_zone, under, o.epoch, session_user, o.body
    from unnest(epochs, bodies) as o(epoch, body);
end $$;

create function older(of_zone text, under bigint) returns table (epoch bigint, body bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select o.epoch, o.body from older_key o
    where o.circle = own_circle() and o.zone = of_zone and o.newer = under order by o.epoch desc, o.sender limit 256
$$;

create function heartbeat_put(beat bytea) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  perform own_circle();
  insert into heartbeat (role, body) values (session_user, beat)
    on conflict (role) do update set body = excluded.body, at = now();
end $$;

-- The heartbeats behind a role, as many as fit 8 MiB; a row without one is the end of all.
create function heartbeats(behind name default '') returns table (role name, body bytea)
language plpgsql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  total bigint := 0;
begin
  for role, body in
    select h.role, h.body from heartbeat h join device d on d.role = h.role
      where d.circle = own_circle() and h.role > behind order by h.role
  loop
    total := total + length(body);
    if total > page_max() then return; end if;
    return next;
  end loop;
  role := null;
  body := null;
  return next;
end $$;

-- MARK: Checkpoints

-- Keeps one part of a checkpoint's manifest. With the last one it is shown, and those of earlier places go.
create function checkpoint_put(
  of_zone text, at_number bigint, at_digest bytea, word bytea, of_part integer, of_parts integer, of_lines bytea
) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
  at zone;
begin
  select * into at from zone z where z.circle = mine and z.name = of_zone for update;
  if not found or of_part not between 0 and of_parts - 1 or not exists (
    select from zone_entry e where e.zone = at.id and e.number = at_number and e.digest = at_digest
  ) then
    raise exception 'the zone has no such place' using errcode = 'invalid_parameter_value';
  end if;
  -- A device has one that is not complete, and a later word takes the place of an earlier one.
  perform drop_checkpoints(mine, array(
    select c from checkpoint c where c.zone = at.id and c.author = session_user
      and (c.number <> at_number and not is_complete(c) or c.number = at_number and (c.body, c.parts) <> (word, of_parts))
  ));
  insert into checkpoint values (at.id, at_number, session_user, of_parts, word) on conflict do nothing;
  insert into checkpoint_part values (at.id, at_number, session_user, of_part, of_lines) on conflict do nothing;
  if found then perform charge(mine, length(of_lines)); end if;
  if (select is_complete(c) from checkpoint c where c.zone = at.id and c.number = at_number and c.author = session_user) then
    perform drop_checkpoints(mine, array(select c from checkpoint c where c.zone = at.id and c.number < at_number));
  end if;
end $$;

create function is_complete(word checkpoint) returns boolean
language sql stable set search_path = localauth, pg_catalog, pg_temp as $$
  select count(*) = word.parts from checkpoint_part p
    where (p.zone, p.number, p.author) = (word.zone, word.number, word.author)
$$;

create function drop_checkpoints(of_circle bigint, words checkpoint[]) returns void
language plpgsql set search_path = localauth, pg_catalog, pg_temp as $$
begin
  perform charge(of_circle, -coalesce((
    select sum(length(p.lines)) from unnest(words) as c join checkpoint_part p using (zone, number, author)
  ), 0));
  delete from checkpoint d using unnest(words) as c
    where (d.zone, d.number, d.author) = (c.zone, c.number, c.author);
end $$;

-- The latest checkpoint that is complete.
create function checkpoint_of(of_zone text) returns table (number bigint, author name, parts integer, body bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select c.number, c.author, c.parts, c.body from checkpoint c join zone z on z.id = c.zone
    where z.circle = own_circle() and z.name = of_zone and is_complete(c) order by c.number desc, c.author limit 1
$$;

-- A part of the manifest of the latest checkpoint, if it is still that of this place.
create function manifest_part(of_zone text, at_number bigint, of_part integer) returns table (lines bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select p.lines from checkpoint_of(of_zone) c
    join zone z on z.circle = own_circle() and z.name = of_zone
    join checkpoint_part p on (p.zone, p.number, p.author) = (z.id, c.number, c.author)
    where c.number = at_number and p.part = of_part
$$;

-- MARK: Joining and leaving

-- What PostgreSQL keeps of a password: two keys that follow from it, and never the password.
create function is_verifier(verifier text) returns boolean language sql immutable as $$
  select verifier ~ '^SCRAM-SHA-256\$[0-9]+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$'
$$;

-- Another password for the device that speaks: its sponsor, or who founded the circle for it, knows the first one.
create function verifier_put(verifier text) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  perform own_circle();
  if not is_verifier(verifier) then
    raise exception 'that is no verifier' using errcode = 'invalid_parameter_value';
  end if;
  execute format('alter role %I password %L valid until %L', session_user, verifier, 'infinity');
end $$;

-- Makes the role of a device that is to join within ten minutes. Its name and password follow from the code that
-- the sponsor shows; the hub is told a verifier, and no password.
create function invite(joiner name, verifier text, offered bytea) returns void
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
  insert into device (role, circle, expires) values (joiner, mine, now() + interval '10 minutes');
  insert into invitation (role, offer) values (joiner, offered);
end $$;

-- What the sponsor told the device that speaks.
create function offer() returns bytea
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select i.offer from invitation i where i.role = session_user
$$;

-- What an invited device asks; it can ask once.
create function ask(asked bytea) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  if not exists (select from device where role = session_user and expires > now()) then
    raise exception 'you are not invited' using errcode = 'insufficient_privilege';
  end if;
  update invitation set request = asked where role = session_user and request is null;
end $$;

-- What invited devices asked, for their sponsors.
create function requests() returns table (joiner name, request bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select i.role, i.request from invitation i join device d using (role)
    where d.circle = own_circle() and d.expires > now() and i.request is not null and i.answer is null
$$;

-- The sponsor's answer; with one the device has joined.
create function admit(joiner name, reply bytea) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  update device set expires = null where role = joiner and circle = mine and expires > now();
  if not found then
    raise exception 'no such device is invited' using errcode = 'invalid_parameter_value';
  end if;
  update invitation set answer = reply where role = joiner;
  execute format('alter role %I valid until %L', joiner, 'infinity');
end $$;

-- The answer to what this device asked; no row as long as there is none.
create function reply() returns bytea
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select i.answer from invitation i where i.role = session_user
$$;

-- Removes roles that were invited and never came.
create function forget_invitations() returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  late device;
begin
  for late in select * from device where expires <= now() for update skip locked loop
    perform drop_device(late.circle, late.role);
  end loop;
end $$;

-- Ends what a device has open.
create function end_sessions(leaver name) returns void
language sql security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select pg_terminate_backend(pid) from pg_stat_activity where usename = leaver and pid <> pg_backend_pid()
$$;

-- Ends a device's role and what it has open.
create function drop_device(of_circle bigint, leaver name) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  delete from device where role = leaver and circle = of_circle;
  if not found then
    raise exception 'the circle has no such device' using errcode = 'invalid_parameter_value';
  end if;
  execute format('alter role %I nologin', leaver);
  perform end_sessions(leaver);
  execute format('drop role %I', leaver);
end $$;

-- MARK: For the administrator

-- Makes a circle and the role of its first device, which has a day to log in and choose a password of its own.
create function found_circle(founder name, verifier text, room bigint default 10737418240) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  made bigint;
begin
  if founder !~ '^localauth_[0-9a-f]{32}$' or not is_verifier(verifier) or room <= 0 then
    raise exception 'a circle has the role of a device, a verifier and room' using errcode = 'invalid_parameter_value';
  end if;
  insert into circle (bytes_max) values (room) returning id into made;
  execute format('create role %I login nosuperuser nocreatedb nocreaterole connection limit 4 password %L valid until %L in role localauth_device',
    founder, verifier, now() + interval '1 day');
  insert into device (role, circle) values (founder, made);
end $$;
