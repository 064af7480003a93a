-- A sponsor can take an invitation back, so nobody waits for an answer that will not come.

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
