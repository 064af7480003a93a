-- Where the circle's log ended when a share was made: one that comes late takes no newer one's place. Its sender may have
-- lost the connection, begun the epoch anew, and sent the shares of that before the hub did what it was asked first.
alter table key_share add column head bigint not null default 0;

drop function share_put(text, bigint, bytea[], bytea[]);
create function share_put(of_zone text, of_epoch bigint, at_head bigint, receivers bytea[], bodies bytea[]) returns void
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
  perform charge(mine, kept - freed);
end $$;
