# What install, update and return share: versions beside each other, and one that runs.  Sourced, never run.
# COMPANION_ROOT: a folder that stands for / in trials; then nothing of the machine itself is touched.
# shellcheck shell=bash disable=SC2034
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin # of root; su leaves that of the user, in which these are not
root=${COMPANION_ROOT:-}
home=$root/opt/companion data=$root/var/lib/companion choices=$root/etc/default/companion unit=companion.service
program=(companion calibration templates deploy docs run pyproject.toml README.md LICENSE CHANGELOG.md)
lock=requirements.lock setup_words=()
note=$home/update.note refused=$home/returned-from
needed_mb=900 # for another version with its libraries

say() { echo "${me:-companion}: $*"; }
fail() { say "$*" >&2; exit 1; }

no_hall() { # ADVICE: a hall has the same folders, and scripts of its own
    [ ! -e "$root/etc/systemd/system/companion-club.service" ] || fail "a hall is installed here, and this is for a companion for one table: $1"
}

want_port() { # NUMBER: one on which pages can be served, and where nothing is installed yet, one that is free
    case $1 in "" | *[!0-9]* | ??????*) fail "the port is a number from 1 to 65535, and not \"$1\"" ;; esac
    [ "$1" -ge 1 ] && [ "$1" -le 65535 ] || fail "the port is a number from 1 to 65535, and not $1"
    [ -L "$home/current" ] || ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null ||
        fail "another program answers at port $1 (ss -ltnp says which): stop that one, or name another port, --port 8000 for example"
}

want_room() { # for another version; a full disk would end a game that is played meanwhile
    local free
    free=$(df -Pm "$home" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge "$needed_mb" ] || fail "$home has $free MB free and needs $needed_mb: make room, then again"
}

one_at_a_time() {
    exec 8>"$home/.lock"
    flock -n 8 || fail "another install or update is at work"
}

want_whole() { # FOLDER: whether it holds the program
    local file
    for file in "${program[@]}"; do
        [ -e "$1/$file" ] || fail "$1 is not whole: $file is missing"
    done
}

name_of() { # FOLDER: its version, and a sum over all that is in it
    local version sum
    version=$(sed -n 's/^__version__ = "\([0-9A-Za-z.+]*\)"$/\1/p' "$1/companion/__init__.py")
    sum=$(cd "$1" && find "${program[@]}" -type f -not -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-8)
    echo "${version:?no version in companion/__init__.py}-$sum"
}

unpacked= making=
remove_unfinished() { rm -rf ${unpacked:+"$unpacked"} ${making:+"$making"} || true; } # whatever ends a script
unpack_source() { # the program in the file $source, if it is one, into $unpacked; then $source is a folder
    if [ -f "$source" ]; then
        unpacked=$(mktemp -d "$home/versions/.unpacked-XXXXXX")
        tar -tzf "$source" >"$unpacked/.list" 2>/dev/null || fail "$source cannot be read: is it a whole .tar.gz?"
        ! grep -qE '^/|(^|/)\.\.(/|$)' "$unpacked/.list" || fail "$source leads out of its own folder; that is no version of the companion"
        tar -C "$unpacked" --no-same-owner --no-same-permissions -xzf "$source" 2>/dev/null || fail "$source cannot be unpacked: is the disk full?"
        set -- "$unpacked"/*/
        [ $# -eq 1 ] || fail "$source is no version of the companion"
        source=${1%/}
    fi
    [ -d "$source" ] || fail "$source: no such file or folder"
    want_whole "$source"
}

make_version() { # FOLDER NAME: whole under that name, or not there at all
    local from=$1 name=$2 running=$home/current
    [ ! -e "$home/versions/$name/.whole" ] || return 0
    rm -rf "$home"/versions/.making-*
    want_room
    making=$home/versions/.making-$name
    mkdir -p "$making"
    (cd "$from" && tar --exclude=__pycache__ -cf - "${program[@]}") | tar -C "$making" --no-same-owner -xf - ||
        fail "the program could not be copied to $making: is the disk full?"
    [ ! -d "$from/wheels" ] || ln -s "$(cd "$from/wheels" && pwd)" "$making/wheels"
    chmod -R u=rwX,go=rX "$making"
    # The same libraries as before need no network.
    if cmp -s "$making/deploy/$lock" "$running/deploy/$lock"; then
        cp -a --reflink=auto "$running/.venv" "$making/.venv" 2>/dev/null || fail "the libraries could not be copied to $making: is the disk full?"
    fi
    "$making/deploy/setup" ${setup_words[@]+"${setup_words[@]}"} || exit 1
    rm -f "$making/wheels"
    "$making/.venv/bin/python" -m compileall -q "$making/companion" "$making/calibration" >/dev/null
    program_of ".making-$name" --version >/dev/null ||
        fail "$name does not run as its own user (above): where its Python lies in somebody's home folder, again with PATH=/usr/sbin:/usr/bin:/sbin:/bin"
    touch "$making/.whole"
    sync -f "$making"
    rm -rf "${home:?}/versions/$name"
    mv "$making" "$home/versions/$name"
    making=
}

change_to() { # NAME: from now on this one runs; a kill leaves the old one or the new one
    ln -sfn "versions/$1" "$home/.current.new"
    mv -T "$home/.current.new" "$home/current"
    sync -f "$home"
}

running_name() { readlink "$home/current" | sed 's,^versions/,,'; }

# A version's own program, on the installed data or on other ones, as the user that the service has.
words=()
words_of() { # NAME: how its program is run, into words
    local here=$home/versions/$1
    words=(env LANG=C.UTF-8 XDG_DATA_HOME="$(dirname "$data")" PYTHONPATH="$here" "$here/.venv/bin/python" -P -m companion)
    if [ "$(id -u)" -eq 0 ] && [ -z "$root" ]; then
        words=(setpriv --reuid companion --regid companion --init-groups --reset-env "${words[@]}")
    fi
}
program_of() { # NAME COMMAND...
    words_of "$1"
    shift
    "${words[@]}" "$@"
}

# ---- the service: systemd's, or where there is none a process that is started and ended here -------------
has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ]; }
arguments() { # what stands behind COMPANION_ARGS= in the options file, as systemd reads it: the last line, without quotes
    [ -e "$choices" ] || return 0
    sed -n 's/^[[:space:]]*COMPANION_ARGS=[[:space:]]*\(.*[^[:space:]]\)[[:space:]]*$/\1/p' "$choices" |
        tail -n 1 | sed "s/^\"\(.*\)\"$/\1/; s/^'\(.*\)'$/\1/"
}
want_plain_options() { # a value with quotes within, or on several lines, is not written anew but kept as somebody wrote it
    case $(arguments) in
        *[\"\'\\]*) fail "$choices has quotes or a \\ within COMPANION_ARGS, which this cannot write: change it by hand" ;;
    esac
}
option() { # NAME DEFAULT: the value of an option of the service (--NAME VALUE or --NAME=VALUE, the last one)
    local words=() word value=$2 is_next=
    read -ra words <<<"$(arguments)" || true
    for word in ${words[@]+"${words[@]}"}; do
        if [ -n "$is_next" ]; then
            value=$word is_next=
            continue
        fi
        case $word in
            "--$1") is_next=yes ;;
            "--$1="*) value=${word#*=} ;;
        esac
    done
    echo "$value"
}
port() { option port 8000; }
put_choices() { # what comes in becomes the options file, for root alone: it may hold the password of a camera
    rm -f "$choices.new"
    (umask 077 && cat >"$choices.new")
    mv "$choices.new" "$choices"
}
write_options() { # HEAD [NAME VALUE]...: set options that have a value; all other words and lines of the options file stay
    local head=$1 named=" " chosen=() words=() kept=() word is_next= replaced=ARGS secret=
    shift
    while [ $# -gt 0 ]; do
        [ -z "$2" ] || named+="--$1 "
        [ -z "$2" ] || [ "$1" != camera ] || replaced='\(ARGS\|CAMERA\)'
        case "$1 $2" in
            *" ") ;;
            "camera "*@*) secret=$2 ;; # with a password: every account of the machine sees the words of a command
            *) chosen+=("--$1" "$2") ;;
        esac
        shift 2
    done
    want_plain_options
    read -ra words <<<"$(arguments)" || true
    for word in ${words[@]+"${words[@]}"}; do
        if [ -n "$is_next" ]; then
            is_next=
            continue
        fi
        case $named in
            *" $word "*) is_next=yes ;;
            *" ${word%%=*} "*) ;;
            *) kept+=("$word") ;;
        esac
    done
    kept+=(${chosen[@]+"${chosen[@]}"})
    mkdir -p "${choices%/*}"
    {
        [ -e "$choices" ] || echo "$head"
        grep -v "^[[:space:]]*COMPANION_$replaced=" "$choices" 2>/dev/null || true
        [ -z "$secret" ] || echo "COMPANION_CAMERA=\"$secret\""
        echo "COMPANION_ARGS=\"${kept[*]-}\""
    } | put_choices
}
keep_options() { # CAMERA PORT, empty where nothing was named
    local camera=$1 port=$2
    [ ! -e "$choices" ] || [ -n "$camera$port" ] || return 0
    [ -e "$choices" ] || port=${port:-8000}
    write_options "# What the companion is started with; after a change: sudo systemctl restart companion" \
        camera "$camera" port "$port"
}
address() { # where the service is asked on this machine: the host that it is told to listen on, or any of its own
    local host
    host=$(option host 0.0.0.0)
    case $host in
        "" | 0.0.0.0) echo 127.0.0.1 ;;
        ::) echo "[::1]" ;;
        *:*) echo "[$host]" ;;
        *) echo "$host" ;;
    esac
}

stop_service() {
    if has_systemd; then
        systemctl stop "$unit"
    elif [ -e "$home/.pid" ]; then
        local pid
        pid=$(cat "$home/.pid")
        kill "$pid" 2>/dev/null || true
        for _ in $(seq "${end_s:-100}"); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
        rm -f "$home/.pid"
    fi
}

start_service() {
    if has_systemd; then
        systemctl start --no-block "$unit"
    else
        words_of ../current
        # shellcheck disable=SC2046
        "${words[@]}" serve --data "$data" $(arguments) >>"$home/.log" 2>&1 </dev/null 8>&- &
        echo $! >"$home/.pid"
    fi
}

healthy() { # SECONDS: whether it answers within that time, and still does a while later
    local at
    for at in $(seq "$1"); do
        if answers; then
            sleep 3
            answers
            return
        fi
        has_systemd || kill -0 "$(cat "$home/.pid" 2>/dev/null)" 2>/dev/null || return 1
        sleep 1
    done
    return 1
}
answers() {
    python3 - "http://$(address):$(port)/healthz" <<'PYTHON' 2>/dev/null
import sys
import urllib.request as requests

requests.build_opener(requests.ProxyHandler({})).open(sys.argv[1], timeout=4)
PYTHON
}

remove_user() { # NAME: systemd ends the session of a screen some seconds after its service
    local at
    loginctl terminate-user "$1" 2>/dev/null || true
    for at in $(seq 15); do
        id "$1" >/dev/null 2>&1 || return 0
        userdel "$1" 2>/dev/null || sleep 1
    done
    say "the user $1 is left, with processes of its own: sudo userdel $1" >&2
}

torn() { # of what doctor found, in JSON: how many tables cannot be read; what keeps it from serving is said
    python3 -c '
import json, sys

findings = json.load(sys.stdin)["findings"]
for one in findings:
    if one.get("needed") and not one["works"]:
        print(one["name"], one["told"], sep=": ", file=sys.stderr)
print(sum(one["name"].startswith("table ") for one in findings))
'
}
