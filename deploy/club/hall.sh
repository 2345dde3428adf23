# What install, update and uninstall of a hall share, beside deploy/versions.sh.  Sourced, never run.
# shellcheck shell=bash disable=SC2034
unit=companion-club.service
lock=requirements-hall.lock setup_words=(--hall)
needed_mb=1500
database=postgresql:///companion
end_s=600 # tenths of a second until all processes of a hall have ended

address_of_database() { # as the unit gets it
    [ ! -e "$choices" ] || sed -n 's/^COMPANION_DATABASE=//p' "$choices" | tail -n 1 | tr -d "\"'"
}
export_database() {
    COMPANION_DATABASE=$(address_of_database)
    COMPANION_DATABASE=${COMPANION_DATABASE:-$database}
    export COMPANION_DATABASE
}
list_missing() { # packages whose programs are not here: of the database's server only where it is this machine's
    case $(address_of_database) in
        "" | "$database") compgen -G "$root/usr/lib/postgresql/*/bin/postgres" >/dev/null || echo postgresql ;;
    esac
    compgen -G "$root/usr/lib/postgresql/*/bin/pg_dump" >/dev/null || echo postgresql-client # for dumps
    [ -x "$root/usr/sbin/haproxy" ] || echo haproxy
}
keep_choices() { # PORT WORKERS, empty where nothing was named: what was chosen for a hall before stays
    local port=$1 workers=$2 cores
    if [ -z "$(address_of_database)" ]; then # these are the options of a companion for one table, or there are none
        rm -f "$choices"
    elif [ -z "$port$workers" ]; then
        return 0
    fi
    cores=$(nproc)
    [ "$cores" -le 8 ] || cores=8
    [ "$cores" -ge 2 ] || cores=2 # one serves while the other is replaced
    write_options "# What the hall is started with; after a change: sudo systemctl restart companion-club
COMPANION_DATABASE=$database" port "${port:-$(option port 80)}" workers "${workers:-$(option workers "$cores")}"
}
hall_of() { # NAME COMMAND...: a version's own program, as the user of the service, on the database
    words_of "$1"
    shift
    local at position=0
    for at in "${!words[@]}"; do [ "${words[at]}" != env ] || position=$((at + 1)); done
    "${words[@]:0:position}" "COMPANION_DATABASE=$COMPANION_DATABASE" "${words[@]:position}" "$@"
}

change_schema() { # NAME OLD: for a version; the old one serves on where it can, and else ends, and is dumped before
    local code=0
    if [ -z "$2" ]; then
        hall_of "$1" migrate >/dev/null || fail "the database cannot be used (above)"
        return 0
    fi
    hall_of "$1" migrate --rolling || code=$?
    [ "$code" -ne 0 ] || return 0
    [ "$code" -eq 1 ] || fail "the database cannot be used (above); $2 goes on"
    say "$2 ends for this update; the database is dumped"
    stop_service
    hall_of "$2" backup "$data/before-update.dump" --force >/dev/null || {
        start_service
        fail "the database could not be dumped (above); $2 goes on"
    }
    hall_of "$1" migrate || {
        start_service
        fail "the database could not be changed (above); $2 goes on, and the tables of before are in $data/before-update.dump"
    }
}

require_readable() { # NEW OLD: unless the new version cannot read a table that the old one can
    local before after
    before=$(examine_hall "$2" | torn) || fail "$2 could not look at the tables (above); it goes on"
    after=$(examine_hall "$1" | torn) || fail "$1 could not look at the tables (above); $2 goes on"
    [ "$after" -le "$before" ] || fail "$1 cannot read $((after - before)) of the tables; $2 goes on"
}
examine_hall() { hall_of "$1" doctor --json || [ $? -eq 1 ]; } # 1: something is to be mended, which it says

# What the processes of the hall have said since $1: the latest line of the journal, a moment where there is none yet, or
# a place in the trial's log.  A moment alone would have the lines of its whole second, those of a try before among them.
now() {
    local cursor
    has_systemd || { stat -c %s "$home/.log"; return; }
    cursor=$(journalctl -u "$unit" -n 0 --show-cursor 2>/dev/null | sed -n 's/^-- cursor: //p') || true
    echo "${cursor:-@$(date +%s)}"
}
said_since() {
    has_systemd || { tail -c "+$(($1 + 1))" "$home/.log"; return; }
    case $1 in
        @*) journalctl -u "$unit" -o cat --since "$1" 2>/dev/null ;;
        *) journalctl -u "$unit" -o cat --after-cursor "$1" 2>/dev/null ;;
    esac
}

replace_processes() { # SECONDS: one after the other, by the program as it is now; whether all came up
    local since at
    since=$(now)
    if has_systemd; then systemctl reload "$unit"; else kill -HUP "$(cat "$home/.pid")"; fi
    for at in $(seq "$1"); do
        said_since "$since" | grep -q 'all processes are replaced' && return 0
        ! said_since "$since" | grep -q 'could not be started; the others stay' || return 1
        has_systemd || kill -0 "$(cat "$home/.pid")" 2>/dev/null || return 1
        sleep 1
    done
    return 1
}
