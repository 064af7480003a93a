-- Where the circle's log ended when the keys of older epochs were wrapped: those of an attempt to begin the epoch that failed
-- come late and take no newer ones' place, as with shares. They are wrapped under keys that nobody has. Each row counts 200
-- bytes beside its own against the circle's share.
alter table older_key add column head bigint not null default 0;

drop function older_put(text, bigint, bigint[], bytea[]);
create function older_put(of_zone text, under bigint, at_head bigint, epochs bigint[], bodies bytea[]) returns void
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
  perform charge(mine, kept - freed);
end $$;
