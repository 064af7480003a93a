# A PostgreSQL of the benchmark's own, on a socket and with fsync, that `work` has and `stop_postgres` ends; sourced by
# those that need one, as root, because PostgreSQL does not run as root.
postgres=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
server=

stop_postgres() {
  if [ -n "$server" ]; then kill -INT "$server" 2>/dev/null || true; wait "$server" || true; fi
}

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

# A single figure, as the other benchmarks report one: NAME LIMIT VALUE UNIT.
figure() {
  met=$(awk -v value="$3" -v limit="$2" 'BEGIN { print value <= limit ? "true" : "false" }')
  printf '%-50s %38s %-6s %10.2f %10.2f %s\n' "$1" "" "$(if [ "$met" = true ]; then echo met; else echo MISSED; fi)" "$3" "$2" "$4"
  printf '{"name": "%s", "limit": %s, "value": %s, "met": %s, "unit": "%s"}\n' "$1" "$2" "$3" "$met" "$4" >>"$BENCH_LINES"
}
