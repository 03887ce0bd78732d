# Stays beside one agent, whatever becomes of the runner, and writes down how it ended.
#   sh supervise.sh DIRECTORY COMMAND...
# A signal meant for the agent must not end this; a trap, unlike ignoring it, is not passed on.
directory=$1
shift
# Who this is, before the agent starts: a runner that takes over finds it by that.
{ read -r self <"/proc/$$/stat"; } 2>/dev/null
echo "${self:-$$}" >"$directory/supervisor" || exit 125
trap : HUP INT TERM
"$@" <"$directory/stdin" >"$directory/stdout" 2>"$directory/stderr"
echo $? >"$directory/exit.part"
PATH=/usr/bin:/bin:$PATH mv "$directory/exit.part" "$directory/exit"
