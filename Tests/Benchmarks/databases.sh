#!/bin/sh
# 100,000 rows in one transaction, as a protected database and by SQLCipher: databases.sh COMPARE AUTHCTL MODULE DIR
set -eu

compare=$1
authctl=$2
module=$3
work=$4
mkdir "$work"
trap '$authctl --home "$work/home" daemon stop > /dev/null 2>&1 || :' EXIT
echo 2468 | $authctl --home "$work/home" --device bench device create bench --sensor none --passcode-stdin --quiet

for mode in delete wal; do
  cat > "$work/$mode.sql" <<END
pragma journal_mode=$mode;
pragma synchronous=full;
create table t(id integer primary key, a text, b text);
create index i on t(b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 100000)
insert into t select x, 'account ' || x, hex(randomblob(32)) from c;
select count(*), sum(length(b)) from t;
END
  {
    printf '.load %s\n.open file:%s/ours.db?vfs=localauth\n' "$module" "$work"
    cat "$work/$mode.sql"
  } > "$work/ours-$mode.sql"
  {
    echo "pragma key = 'x''0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef''';"
    cat "$work/$mode.sql"
  } > "$work/theirs-$mode.sql"
  # Commands as files, because what is compared has one word for each argument and no shell.
  cat > "$work/ours-$mode" <<END
#!/bin/sh
rm -f $work/ours.db*
export LOCALAUTH_HOME=$work/home LOCALAUTH_DEVICE=bench LOCALAUTH_ALLOW_SIMULATED=1
exec sqlite3 < $work/ours-$mode.sql > /dev/null
END
  cat > "$work/theirs-$mode" <<END
#!/bin/sh
rm -f $work/theirs.db*
exec sqlcipher $work/theirs.db < $work/theirs-$mode.sql > /dev/null
END
  chmod +x "$work/ours-$mode" "$work/theirs-$mode"
  "$compare" commands "100,000 rows, journal_mode=$mode / SQLCipher" 1.3 9 1 \
    "$work/ours-$mode" -- "$work/theirs-$mode"
done
$authctl --home "$work/home" daemon stop > /dev/null 2>&1
rm -r "$work"
