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

create table key_share (
  circle bigint not null references circle,
  zone text not null check (octet_length(zone) between 1 and 64),
  epoch bigint not null,
  receiver bytea not null check (length(receiver) = 16),
  body bytea not null check (length(body) <= 2048),
  primary key (circle, zone, epoch, receiver)
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

-- The entries of the circle's log behind a number.
create function circle_pull(after bigint, most integer default 256)
returns table (number bigint, body bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select e.number, e.body from circle_entry e
    where e.circle = own_circle() and e.number > after
    order by e.number limit least(greatest(most, 1), 1024)
$$;

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
  if cardinality(names) <> cardinality(bodies) or cardinality(names) > 1000 then
    raise exception 'a push has a body for each name, and at most 1000' using errcode = 'invalid_parameter_value';
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

-- The entries of a zone behind a number, and the records that none of the entries behind those changes again.
create function zone_pull(of_zone text, after bigint, most integer default 256)
returns table (kind text, number bigint, name bytea, body bytea)
language plpgsql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  at zone;
  upto bigint;
begin
  select * into at from zone z where z.circle = own_circle() and z.name = of_zone;
  if not found then return; end if;
  upto := least(at.head, after + least(greatest(most, 1), 1024));
  return query select 'head', at.head, null::bytea, at.head_digest;
  return query select 'entry', e.number, null::bytea, e.body from zone_entry e
    where e.zone = at.id and e.number > after and e.number <= upto order by e.number;
  return query select 'record', r.number, r.name, r.body from record r
    where r.zone = at.id and r.number > after and r.number <= upto order by r.number, r.name;
end $$;

-- Where everything ends, and the hub's clock.
create function heads() returns table (zone text, number bigint, digest bytea, at timestamptz)
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  update device set seen = now() where role = session_user and (seen is null or seen < now() - interval '1 minute');
  return query
    select null::text, c.head, c.head_digest, now() from circle c where c.id = mine
    union all
    select z.name, z.head, z.head_digest, now() from zone z where z.circle = mine;
end $$;

-- Tells the circle's devices that something came. It is a transaction of its own, behind that of the push: a
-- notification takes a lock of the whole server until its transaction has ended.
create function tell() returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  perform pg_notify('localauth_' || own_circle(), '');
end $$;

-- The channel to listen on.
create function channel() returns text
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select 'localauth_' || own_circle()
$$;

-- MARK: Keys and heartbeats

create function share_put(of_zone text, of_epoch bigint, receivers bytea[], bodies bytea[]) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  if cardinality(receivers) <> cardinality(bodies) or cardinality(receivers) > 256 then
    raise exception 'each receiver has one share, and there are at most 256' using errcode = 'invalid_parameter_value';
  end if;
  perform charge(mine, (select coalesce(sum(length(b)), 0) from unnest(bodies) b));
  insert into key_share select mine, of_zone, of_epoch, s.receiver, s.body from unnest(receivers, bodies) as s(receiver, body)
    on conflict do nothing;
end $$;

create function shares(of_receiver bytea) returns table (zone text, epoch bigint, body bytea)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select s.zone, s.epoch, s.body from key_share s where s.circle = own_circle() and s.receiver = of_receiver
$$;

create function heartbeat_put(beat bytea) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  perform own_circle();
  insert into heartbeat (role, body) values (session_user, beat)
    on conflict (role) do update set body = excluded.body, at = now();
end $$;

create function heartbeats() returns table (body bytea, at timestamptz)
language sql stable security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select h.body, h.at from heartbeat h join device d using (role) where d.circle = own_circle()
$$;

-- MARK: Joining and leaving

-- Makes the role of a device that is to join within ten minutes. Its name and password follow from the code that
-- the sponsor shows; the hub is told a verifier, and no password.
create function invite(joiner name, verifier text, offered bytea) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  if joiner !~ '^localauth_[0-9a-f]{32}$' or verifier !~ '^SCRAM-SHA-256\$[0-9]+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' then
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

-- Ends a device's role and what it has open.
create function drop_device(of_circle bigint, leaver name) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
begin
  delete from device where role = leaver and circle = of_circle;
  if not found then
    raise exception 'the circle has no such device' using errcode = 'invalid_parameter_value';
  end if;
  execute format('alter role %I nologin', leaver);
  perform pg_terminate_backend(pid) from pg_stat_activity where usename = leaver and pid <> pg_backend_pid();
  execute format('drop role %I', leaver);
end $$;

-- MARK: For the administrator

-- Makes a circle and the role of its first device.
create function found_circle(founder name, verifier text, room bigint default 10737418240) returns void
language plpgsql set search_path = localauth, pg_catalog, pg_temp as $$
declare
  made bigint;
begin
  if founder !~ '^localauth_[0-9a-f]{32}$' then
    raise exception 'the role of a device has a name of 32 digits' using errcode = 'invalid_parameter_value';
  end if;
  insert into circle (bytes_max) values (room) returning id into made;
  execute format('create role %I login nosuperuser nocreatedb nocreaterole connection limit 4 password %L in role localauth_device',
    founder, verifier);
  insert into device (role, circle) values (founder, made);
end $$;
