import LocalAuthSync

extension HubSchema {
  /// What a database says of its schema, by a key that two schemas share if they say the same.
  private struct Facts {
    /// What to say of a fact that should not be; a changed property is two facts, of which this says what it is.
    var there: [String: String] = [:]
    /// What to say where a fact is missing.
    var missing: [String: String] = [:]
  }

  /// Compares what there is with what the migrations make: functions, tables and the rights to them.
  ///
  /// It makes the hub once more, beside the one that is looked at, in a transaction that is never committed. So nothing
  /// has to be written down twice, and rights that are missing are found like those that are too many.
  ///
  /// - Returns: a sentence for each difference.
  /// - Throws: ``HubError``.
  static func differences(_ connection: borrowing HubConnection) throws(HubError) -> [String] {
    // What PostgreSQL calls things is compared, too, in one language and with the names of schemas.
    let plainly = "set local lc_messages = 'C'; set local search_path = pg_catalog;"
    try connection.runScript("begin; \(plainly)")
    let (found, wanted): (Facts, Facts)
    do throws(HubError) {
      found = try facts(connection)
      try connection.runScript("alter schema localauth rename to localauth_looked_at")
      try connection.runScript(beginning)
      for migration in HubMigration.all { try connection.runScript(migration.script) }
      try connection.runScript(rights)
      try connection.runScript("set local role none; \(plainly)")
      wanted = try facts(connection)
    } catch {
      try? connection.runScript("rollback")
      throw error
    }
    try connection.runScript("rollback")
    let surplus = found.there.filter { wanted.there[$0.key] == nil }.map(\.value)
    let lacking = wanted.missing.filter { found.there[$0.key] == nil }.map(\.value)
    return Set(surplus + lacking).sorted()
  }

  private static func facts(_ connection: borrowing HubConnection) throws(HubError) -> Facts {
    let rows = try connection.run(statement)
    var facts = Facts()
    for row in 0..<rows.count {
      guard let key = try rows.text(row, 0) else { continue }
      facts.there[key] = try rows.text(row, 1)
      facts.missing[key] = try rows.text(row, 2)
    }
    return facts
  }

  private static let statement: StaticString = """
    with hub as (select 'localauth'::regnamespace as id),
    function as (select p.*, p.oid::regprocedure::text as key from pg_proc p, hub where p.pronamespace = hub.id),
    relation as (
      select c.*, case c.relkind when 'c' then 'type' when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind
        from pg_class c, hub where c.relnamespace = hub.id and c.relkind not in ('i', 'I', 't')
    ),
    grants as (
      select f.key as object, 'call the function ' || f.proname as what, a.* from function f,
        aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a where a.grantee <> f.proowner
      union all
      select r.relname, lower(a.privilege_type) || ' the ' || r.kind || ' ' || r.relname, a.* from relation r, aclexplode(r.relacl) a
        where a.grantee <> r.relowner
      union all
      select r.relname, lower(a.privilege_type) || ' the column ' || t.attname || ' of the ' || r.kind || ' ' || r.relname, a.*
        from relation r join pg_attribute t on t.attrelid = r.oid, aclexplode(t.attacl) a where a.grantee <> r.relowner
      union all
      select n.nspname, case a.privilege_type when 'CREATE' then 'make things in' else 'use' end || ' the schema', a.*
        from pg_namespace n join hub on n.oid = hub.id, aclexplode(n.nspacl) a where a.grantee <> n.nspowner
    )
    select 'thing ' || d.classid || pg_describe_object(d.classid, d.objid, 0) as key,
        format('The hub has the %s, which is none of this version''s.', pg_describe_object(d.classid, d.objid, 0)) as there,
        format('The hub has no %s.', pg_describe_object(d.classid, d.objid, 0)) as missing
      from pg_depend d, hub where d.refclassid = 'pg_namespace'::regclass and d.refobjid = hub.id and d.deptype = 'n'
    union all
    select concat_ws(' ', 'right', object, what, grantee, is_grantable),
        format('%s may %s%s.', case grantee when 0 then 'Everybody' else grantee::regrole::text end, what,
          case when is_grantable then ', and let others do so' end),
        case when grantee = 'localauth_device'::regrole then format('localauth_device may not %s.', what) end
      from grants
    union all
    select concat_ws(' ', 'body', key, prolang, md5(prosrc)), format('The function %s is not the one of this version.', proname), null
      from function
    union all
    select concat_ws(' ', 'definer', key, prosecdef),
        format('The function %s runs with the rights of %s.', proname, case when prosecdef then 'its owner' else 'who calls it' end), null
      from function
    union all
    select concat_ws(' ', 'settings', key, proconfig),
        format('The function %s has %s.', proname, coalesce('the settings ' || array_to_string(proconfig, '; '), 'no settings')), null
      from function
    union all
    select concat_ws(' ', 'declaration', key, prokind, provolatile, proisstrict, proleakproof, proretset, prorettype::regtype,
          proparallel, prosupport, pg_get_function_arguments(oid)),
        format('The function %s is declared in another way.', proname), null
      from function
    union all
    select concat_ws(' ', 'relation', relname, relpersistence),
        format('The %s %s is %s.', kind, relname,
          case relpersistence when 'u' then 'unlogged: it is empty after a crash' else 'temporary' end), null
      from relation where relpersistence <> 'p'
    union all
    select concat_ws(' ', 'rows', relname), format('Not everybody sees all rows of the table %s.', relname), null
      from relation where relrowsecurity or relforcerowsecurity
    union all
    select concat_ws(' ', 'heir', relname, i.inhrelid),
        format('What is in %s counts as in the table %s.', i.inhrelid::regclass, relname), null
      from relation r join pg_inherits i on i.inhparent = r.oid
    union all
    select concat_ws(' ', 'owner', relname, relowner), format('The %s %s belongs to %s.', kind, relname, relowner::regrole), null
      from relation
    union all
    select concat_ws(' ', 'owner', key, proowner), format('The function %s belongs to %s.', proname, proowner::regrole), null
      from function
    union all
    select concat_ws(' ', 'owner', nspowner), format('The schema belongs to %s.', nspowner::regrole), null
      from pg_namespace n join hub on n.oid = hub.id
    union all
    select concat_ws(' ', 'column', relname, attname), format('The %s %s has the column %s, which is none of this version''s.', kind, relname, attname),
        format('The %s %s has no column %s.', kind, relname, attname)
      from relation r join pg_attribute t on t.attrelid = r.oid where r.relkind in ('r', 'c') and t.attnum > 0 and not t.attisdropped
    union all
    select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
          attcollation, pg_get_expr(e.adbin, e.adrelid)),
        format('The column %s of the %s %s is declared in another way.', attname, kind, relname), null
      from relation r join pg_attribute t on t.attrelid = r.oid left join pg_attrdef e on (e.adrelid, e.adnum) = (t.attrelid, t.attnum)
      where r.relkind in ('r', 'c') and t.attnum > 0 and not t.attisdropped
    union all
    select concat_ws(' ', 'condition', relname, rule),
        format('The table %s has the condition %s, which is none of this version''s.', relname, rule),
        format('The table %s has no condition %s.', relname, rule)
      from relation r join pg_constraint c on c.conrelid = r.oid,
        lateral (select replace(pg_get_constraintdef(c.oid), ' NOT VALID', '') as rule) as d
      where c.contype <> 't'
    union all
    select concat_ws(' ', 'index', relname, rule, indisvalid),
        format('The table %s has the index %s, which is none of this version''s or not whole.', relname, rule),
        format('The table %s has no whole index %s.', relname, rule)
      from relation r join pg_index i on i.indrelid = r.oid,
        lateral (select regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX .* ON (ONLY )?', ' INDEX ON ') as rule) as d
    union all
    select concat_ws(' ', 'trigger', relname, tgname), format('The table %s has the trigger %s.', relname, tgname), null
      from relation r join pg_trigger t on t.tgrelid = r.oid where not tgisinternal
    union all
    select concat_ws(' ', 'switch', relname), format('A reference of the table %s is not watched.', relname), null
      from relation r join pg_trigger t on t.tgrelid = r.oid where tgenabled <> 'O'
    union all
    select concat_ws(' ', 'rule', relname, rulename), format('The table %s has the rule %s.', relname, rulename), null
      from relation r join pg_rewrite w on w.ev_class = r.oid where r.relkind = 'r'
    """
}
