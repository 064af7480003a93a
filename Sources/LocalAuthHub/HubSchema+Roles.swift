extension HubSchema {
  /// What roles may do that should not, and the other way round: those of devices, the one that all of them belong to, and the owner.
  ///
  /// What devices set for themselves with `alter default privileges` is theirs, and goes with them.
  static let roles: StaticString = """
    with device as (
      select r.* from pg_roles r join localauth.device d on d.role = r.rolname
    ),
    -- Those of this hub, of another database's, and those that could not go.
    devices as (select oid from pg_roles where rolname ~ '^localauth_[0-9a-f]{32}$'),
    hub as (select * from pg_roles where rolname = 'localauth_hub'),
    everyone as (select * from pg_roles where rolname = 'localauth_device'),
    own as (
      select d.classid, d.objid, d.objsubid, d.refobjid::regrole as role, d.deptype, d.dbid from pg_shdepend d
        where d.refclassid = 'pg_authid'::regclass and d.dbid in (0, (select oid from pg_database where datname = current_database()))
          and d.deptype in ('a', 'o') and d.classid not in ('pg_database'::regclass, 'pg_auth_members'::regclass, 'pg_default_acl'::regclass)
          and (d.refobjid in (select oid from devices) or d.refobjid in (select oid from hub) or d.refobjid in (select oid from everyone))
    )
    select format('The device %s has no role.', d.role) from localauth.device d
      where not exists (select from pg_roles r where r.rolname = d.role)
    union all
    select format('The role %s is that of a device and may do more.', r.rolname) from device r
      where r.rolsuper or r.rolcreatedb or r.rolcreaterole or r.rolreplication or r.rolbypassrls
        or exists (select from pg_auth_members m, everyone e where m.member = r.oid and m.roleid <> e.oid)
    union all
    select format('The role %s is that of a device and may not log in, or not call what devices call.', r.rolname) from device r
      where not r.rolcanlogin or not pg_has_role(r.oid, 'localauth_device', 'usage')
    union all
    select format('The role %s belongs to no device, and may call what devices call.', m.member::regrole)
      from pg_auth_members m, everyone e
      where m.roleid = e.oid and m.member <> all (select oid from hub)
        and not exists (select from device d where d.oid = m.member)
    union all
    select format('The role %s may do what %s may.', m.member::regrole, m.roleid::regrole)
      from pg_auth_members m
      where m.roleid in (select oid from hub) or m.roleid in (select oid from devices) and m.member <> all (select oid from hub)
    union all
    select format('The role %s is that of all devices and may do more: %s.', e.rolname, concat_ws(', ',
        case when e.rolsuper or e.rolcreatedb or e.rolcreaterole or e.rolreplication or e.rolbypassrls then 'by its attributes' end,
        case when e.rolcanlogin then 'log in' end,
        (select string_agg('what ' || m.roleid::regrole || ' may', ', ' order by m.roleid) from pg_auth_members m where m.member = e.oid)))
      from everyone e
      where e.rolsuper or e.rolcreatedb or e.rolcreaterole or e.rolreplication or e.rolbypassrls or e.rolcanlogin
        or exists (select from pg_auth_members m where m.member = e.oid)
    union all
    select 'Somebody can log in as the owner of the hub.' from hub where rolcanlogin or rolsuper
    union all
    select 'The owner of the hub may do more than make roles.' from hub where rolcreatedb or rolreplication or rolbypassrls
    union all
    select 'The owner of the hub may make no roles, so nobody can be let in.' from hub where not rolcreaterole
    union all
    select format('The owner of the hub may do what %s may.', m.roleid::regrole) from pg_auth_members m join hub on m.member = hub.oid
      where m.roleid::regrole::text <> all (array['pg_signal_backend', 'pg_read_all_stats', 'localauth_device'])
        and m.roleid <> all (select oid from devices)
    union all
    select format('The owner of the hub may not do what %s may.', needed) from hub,
        unnest(array['pg_signal_backend', 'pg_read_all_stats', 'localauth_device']) as needed
      where not pg_has_role(hub.oid, needed, 'usage')
        or needed = 'localauth_device' and not pg_has_role(hub.oid, needed, 'member with admin option')
    union all
    select format('What the owner of the hub makes is given to others: %s.', a.defaclacl)
      from pg_default_acl a join hub on a.defaclrole = hub.oid
    union all
    select distinct format(case deptype when 'o' then 'The %2$s belongs to %1$s.' else '%1$s has rights on the %2$s.' end,
        role, pg_describe_object(classid, objid, objsubid))
      from own
      where not exists (select from pg_depend d
          where (d.classid, d.objid) = (own.classid, own.objid) and d.refclassid = 'pg_namespace'::regclass
            and d.refobjid = 'localauth'::regnamespace)
        and not (classid = 'pg_namespace'::regclass and objid = 'localauth'::regnamespace)
    union all
    select 'Devices may not connect to this database.' from everyone e
      where not has_database_privilege(e.oid, current_database(), 'connect')
    union all
    select format('Devices may make things in the schema %s, past the share of a circle.', n.nspname)
      from pg_namespace n, everyone e
      where n.nspname not in ('localauth', 'pg_temp') and n.nspname !~ '^pg_toast' and has_schema_privilege(e.oid, n.oid, 'create') and not e.rolsuper
        and not exists (select from pg_auth_members m where m.member = e.oid)
    """
}
