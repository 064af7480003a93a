#!/bin/sh
# Pushes through localauth-sync beside pgbench, which calls the same function, on a PostgreSQL of its own:
# hub.sh COMPARE PROGRAMS
#
# It runs as root, because PostgreSQL does not; the server is that of the package's account, on a socket, with fsync.
set -eu

compare=$1
bin=$2
postgres=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
work=$(mktemp -d)
server=

cleanup() {
  if [ -n "$server" ]; then kill -INT "$server" 2>/dev/null || true; wait "$server" || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

chmod 755 "$work"
mkdir "$work/cluster" "$work/socket"
chown postgres "$work/cluster" "$work/socket"
as_postgres() { setpriv --reuid postgres --regid postgres --init-groups -- "$@"; }
echo bench >"$work/password"
chmod 644 "$work/password"
as_postgres "$postgres/initdb" --auth scram-sha-256 --username postgres --pwfile "$work/password" --pgdata "$work/cluster" >/dev/null
setpriv --reuid postgres --regid postgres --init-groups -- "$postgres/postgres" -D "$work/cluster" -k "$work/socket" \
  -c listen_addresses= -c log_min_messages=fatal 2>"$work/log" &
server=$!
echo '*:*:*:*:bench' >"$work/passwords"
chmod 600 "$work/passwords"
export PGPASSFILE="$work/passwords"
until psql -h "$work/socket" -U postgres -c '' >/dev/null 2>&1; do kill -0 "$server"; done

administrator="host=$work/socket user=postgres dbname=postgres"
LOCALAUTH_DAEMON="$bin/localauthd" "$bin/authctl" hub install "$administrator" >/dev/null
LOCALAUTH_DAEMON="$bin/localauthd" "$bin/authctl" hub found "$administrator" --out "$work/code" >/dev/null 2>&1
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

# A single figure, as the other benchmarks report one: NAME LIMIT VALUE, in milliseconds.
figure() {
  met=$(awk -v value="$3" -v limit="$2" 'BEGIN { print value <= limit ? "true" : "false" }')
  printf '%-50s %38s %-6s %10.2f %10.2f ms\n' "$1" "" "$(if [ "$met" = true ]; then echo met; else echo MISSED; fi)" "$3" "$2"
  printf '{"name": "%s", "limit": %s, "value": %s, "met": %s, "unit": "ms"}\n' "$1" "$2" "$3" "$met" >>"$BENCH_LINES"
}
figure "a push, until another device hears of it" 20 \
  "$("$bin/localauth-hubs" news "$bin/localauth-sync" "$work/socket" "$work/code" 9)"
figure "10,000 entries and bodies pulled and digested" 1000 \
  "$("$bin/localauth-hubs" pull "$bin/localauth-sync" "$work/socket" "$work/code" 10000 300)"

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
