public import LocalAuthSync

extension HubSchema {
  /// What an administrator sees of all circles together.
  public struct Census: Hashable, Sendable {
    /// How many circles there are.
    public let circles: Int
    /// How many devices have joined one.
    public let devices: Int
    /// How many zones there are.
    public let zones: Int
    /// How many records they have.
    public let records: Int
    /// How many bytes are counted against the circles' shares.
    public let bytes: Int64
  }

  /// Counts what there is.
  ///
  /// - Throws: ``HubError``.
  public static func census(_ connection: borrowing HubConnection) throws(HubError) -> Census {
    let rows = try connection.run(
      """
      select (select count(*) from localauth.circle), (select count(*) from localauth.device where expires is null),
        (select count(*) from localauth.zone), (select count(*) from localauth.record),
        (select coalesce(sum(bytes), 0)::bigint from localauth.circle)
      """
    )
    return Census(
      circles: Int(try rows.number(0, 0)),
      devices: Int(try rows.number(0, 1)),
      zones: Int(try rows.number(0, 2)),
      records: Int(try rows.number(0, 3)),
      bytes: try rows.number(0, 4)
    )
  }

  /// Looks for what should not be: other functions, rights, ways in, settings, and chains that do not hold together.
  ///
  /// It reads every entry of every chain.
  ///
  /// - Returns: a sentence for each problem.
  /// - Throws: ``HubError``, `schema` for another version or none.
  public static func verify(_ connection: borrowing HubConnection) throws(HubError) -> [String] {
    let status = try status(connection)
    guard status.version == newest else { throw .schema(found: status.version, wanted: newest) }
    let scripts = HubMigration.all.map(\.script).joined()
    let statements: [(StaticString, [HubValue])] = [
      (functions, [.text(scripts)]), (rights, []), (roles, []), (waysIn, []), (settings, []),
      (chains, []),
    ]
    var problems: [String] = []
    for (statement, values) in statements {
      let rows = try connection.run(statement, values)
      for row in 0..<rows.count {
        if let problem = try rows.text(row, 0) { problems.append(problem) }
      }
    }
    return problems
  }

  private static let functions: StaticString = """
    select format('The function %s is not the one of this version.', p.proname)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'localauth' and strpos($1, p.prosrc) = 0 order by 1
    """

  private static let rights: StaticString = """
    select format('%s may %s the table %s.', case when a.grantee = 0 then 'everybody' else a.grantee::regrole::text end,
        lower(a.privilege_type), c.relname)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) a
      where n.nspname = 'localauth' and c.relkind in ('r', 'v', 'S') and a.grantee <> c.relowner
    union all
    select format('Everybody may call the function %s.', p.proname)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
        aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where n.nspname = 'localauth' and a.grantee = 0
    union all
    select format('Everybody may %s in this database, past the share of a circle.',
        case a.privilege_type when 'CREATE' then 'make schemas' else 'make temporary tables' end)
      from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
      where d.datname = current_database() and a.grantee = 0 and a.privilege_type in ('CREATE', 'TEMPORARY')
    union all
    select 'Everybody may make large objects in this database, past the share of a circle.'
      from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.oid = 'pg_catalog.lo_create(oid)'::regprocedure and a.grantee = 0
    union all
    select format('The function %s belongs to %s.', p.proname, p.proowner::regrole)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'localauth' and p.proowner <> 'localauth_hub'::regrole
    """

  private static let roles: StaticString = """
    select format('The device %s has no role.', d.role) from localauth.device d
      where not exists (select from pg_roles r where r.rolname = d.role)
    union all
    select format('The role %s is that of a device and may do more.', r.rolname)
      from pg_roles r join localauth.device d on d.role = r.rolname
      where r.rolsuper or r.rolcreatedb or r.rolcreaterole or r.rolreplication or r.rolbypassrls
        or exists (select from pg_auth_members m
          where m.member = r.oid and m.roleid <> 'localauth_device'::regrole)
    union all
    select format('The role %s belongs to no device, and may call what devices call.', m.member::regrole)
      from pg_auth_members m
      where m.roleid = 'localauth_device'::regrole and m.member <> 'localauth_hub'::regrole
        and not exists (select from localauth.device d where d.role = (m.member::regrole)::text)
    union all
    select 'Somebody can log in as the owner of the hub.' from pg_roles
      where rolname = 'localauth_hub' and (rolcanlogin or rolsuper)
    """

  private static let waysIn: StaticString = """
    select format('Line %s of pg_hba.conf lets devices in by %s.', h.line_number, h.auth_method)
      from pg_hba_file_rules h
      where h.error is null and h.auth_method not in ('scram-sha-256', 'cert', 'reject', 'peer')
        and (h.user_name && array['all', '+localauth_device'] or exists (
          select from localauth.device d where d.role = any (h.user_name)))
    union all
    select format('Line %s of pg_hba.conf lets devices in over a network without TLS.', h.line_number)
      from pg_hba_file_rules h
      where h.error is null and h.type in ('host', 'hostnossl', 'hostgssenc') and h.auth_method <> 'reject'
        and coalesce(h.address, '') not in ('127.0.0.1', '::1', 'samehost')
        and (h.user_name && array['all', '+localauth_device'] or exists (
          select from localauth.device d where d.role = any (h.user_name)))
    """

  private static let settings: StaticString = """
    select format('%s is off: what devices were told is kept can be lost.', name) from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
    union all
    select 'It listens to a network without TLS.' from pg_settings
      where name = 'ssl' and setting = 'off' and current_setting('listen_addresses') <> ''
    """

  private static let chains: StaticString = """
    select format('The chain of the zone %s of circle %s does not hold together.', z.name, z.circle)
      from localauth.zone z left join lateral (
        select count(*) as entries, max(e.number) as last, bool_and(e.digest = sha256(e.body)) as fits
          from localauth.zone_entry e where e.zone = z.id
      ) e on true
      where e.entries <> z.head or coalesce(e.last, 0) <> z.head or not coalesce(e.fits, true)
        or z.head > 0 and not exists (select from localauth.zone_entry l
          where l.zone = z.id and l.number = z.head and l.digest = z.head_digest)
        or exists (select from localauth.record r where r.zone = z.id and r.number > z.head)
    union all
    select format('The log of circle %s does not hold together.', c.id)
      from localauth.circle c left join lateral (
        select count(*) as entries, max(e.number) as last, bool_and(e.digest = sha256(e.body)) as fits
          from localauth.circle_entry e where e.circle = c.id
      ) e on true
      where e.entries <> c.head or coalesce(e.last, 0) <> c.head or not coalesce(e.fits, true)
        or c.head > 0 and not exists (select from localauth.circle_entry l
          where l.circle = c.id and l.number = c.head and l.digest = c.head_digest)
    """
}
