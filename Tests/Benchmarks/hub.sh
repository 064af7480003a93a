#!/bin/sh
# Pushes through localauth-sync beside pgbench, which calls the same function, on a PostgreSQL of its own:
# hub.sh COMPARE PROGRAMS
#
# It runs as root, because PostgreSQL does not; the server is that of the package's account, on a socket, with fsync.
set -eu

compare=$1
bin=$2
work=$(mktemp -d)
cleanup() {
  stop_postgres
  rm -rf "$work"
}
stop_postgres() { :; }
trap cleanup EXIT
trap 'exit 1' HUP INT TERM
. "$(dirname "$0")/postgres.sh"

set -- $("$bin/localauth-hubs" role "$work/code")
role=$1
echo "*:*:*:$role:$2" >"$work/devices"
chmod 600 "$work/devices"

cat >"$work/push.sql" <<'END'
select r.number, r.digest from localauth.zone_push(:zone::text || :client_id::text, :number, :digest, decode(md5(random()::text), 'hex'),
  decode(repeat(md5(random()::text), 26), 'hex'), array[sha256(random()::text::bytea)], array[decode(repeat('ab', 300), 'hex')]) r \gset
END
cat >"$work/theirs" <<END
#!/bin/sh
# A zone of this run's own begins at nothing.
zone=\$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
PGPASSFILE="$work/devices" exec pgbench -n -M extended -h "$work/socket" -U "$role" -f "$work/push.sql" -t 1000 \\
  -D zone="bench-\$zone" -D number=0 -D digest='\\x0000000000000000000000000000000000000000000000000000000000000000' postgres >/dev/null 2>&1
END
chmod +x "$work/theirs"
"$compare" commands "1,000 pushes by localauth-sync / pgbench" 1.5 7 1 \
  "$bin/localauth-hubs" push "$bin/localauth-sync" "$work/socket" "$work/code" 1000 300 -- "$work/theirs"

figure "a push, until another device hears of it" 20 \
  "$("$bin/localauth-hubs" news "$bin/localauth-sync" "$work/socket" "$work/code" 9)" ms
figure "10,000 entries and bodies pulled and digested" 1000 \
  "$("$bin/localauth-hubs" pull "$bin/localauth-sync" "$work/socket" "$work/code" 10000 300)" ms

# HUB_CLIENTS="1 16 64" says how many pushes a second that many devices make, each in a zone of its own.
if [ -n "${HUB_CLIENTS:-}" ]; then
  psql -At -q -h "$work/socket" -U postgres <<'END'
analyze localauth.record, localauth.zone_entry;
select c.relname || ': ' || round(pg_total_relation_size(c.oid)::numeric / greatest(c.reltuples, 1)) || ' bytes a row'
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'localauth' and c.relname in ('record', 'zone_entry');
END
  for clients in $HUB_CLIENTS; do
    # Each client has a zone of its own.
    PGPASSFILE="$work/passwords" psql -q -h "$work/socket" -U postgres -c "alter role $role connection limit -1"
    PGPASSFILE="$work/devices" pgbench -n -M extended -h "$work/socket" -U "$role" -f "$work/push.sql" -T 10 -c "$clients" -j 2 \
      -D "number=0" -D digest='\x0000000000000000000000000000000000000000000000000000000000000000' -D zone="many-$clients-" postgres 2>/dev/null | grep -E 'tps|clients' || true
  done
fi
