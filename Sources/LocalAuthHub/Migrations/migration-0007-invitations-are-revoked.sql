-- A sponsor can take an invitation back, so nobody waits for an answer that will not come. And no role puts off its end by
-- what it holds locked in a transaction that it does not end.

-- Ends what a device has open, and waits until that has let go of its locks.
create or replace function end_sessions(leaver name) returns void
language sql security definer set search_path = localauth, pg_catalog, pg_temp as $$
  select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = leaver and pid <> pg_backend_pid()
$$;

-- Ends a device's role and what it has open. What it set for itself goes first; where it did so in another database the role
-- stays, and nobody can log in with it.
create or replace function drop_device(of_circle bigint, leaver name) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
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
  begin
    execute format('grant %I to localauth_hub', leaver);
    execute format('drop owned by %I', leaver);
    execute format('drop role %I', leaver);
  exception when dependent_objects_still_exist then
    execute format('revoke localauth_device from %I', leaver);
  end;
end $$;

-- Removes roles that were invited and never came; one that cannot go now is no reason not to invite another.
create or replace function forget_invitations() returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  late device;
begin
  for late in select * from device where expires <= now() for update skip locked loop
    begin
      perform drop_device(late.circle, late.role);
    exception when lock_not_available then null;
    end;
  end loop;
end $$;

-- Ends the role of a device that was invited by the device that speaks. Nothing happens to one that has joined, or is gone.
create function revoke(joiner name) returns void
language plpgsql security definer set search_path = localauth, pg_catalog, pg_temp as $$
declare
  mine bigint := own_circle();
begin
  perform 1 from device
    where role = joiner and circle = mine and sponsor = session_user and expires is not null for update;
  if found then
    perform drop_device(mine, joiner);
  end if;
end $$;
