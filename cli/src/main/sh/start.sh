# Starts a command, and no process before java. POSIX sh, read by the launcher of a checkout and by
# that of an archive. They set: home, jdk, classes, caches (a path without its ending), self
# (the launcher), and made_here if the caches were made where they are.

# Without UTF-8 in the locale Java cannot open files with other letters in their names. Agents get
# back what was set: the runner does that.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
  *[Uu][Tt][Ff]8* | *[Uu][Tt][Ff]-8*) ;;
  *) export COPPICE_AGENT_LC_ALL="${LC_ALL-}" LC_ALL=C.UTF-8 ;;
esac

# Which of the standard streams are terminals: Java cannot tell.
COPPICE_TERMINAL=
for stream in 0 1 2; do if [ -t "$stream" ]; then COPPICE_TERMINAL=$COPPICE_TERMINAL$stream; fi; done

# How the reader of a message can call the launcher: by its name, if that is the first on the PATH.
COPPICE_CALL=$0
rest=$PATH:
while [ -n "$rest" ]; do
  found=${rest%%:*}/coppice
  rest=${rest#*:}
  [ -x "$found" ] || continue
  if [ "$found" -ef "$self" ]; then COPPICE_CALL=coppice; fi
  break
done

# All programs start from a cache of loaded classes, which fits only the JDK, the jars and the flags
# that it was made with. The JDK does not refuse a cache of older jars; an archive is never built again.
fresh() { # sets cache to the name of cache $1; to a name without a file if $1 is outdated and cannot be deleted
  cache=$1
  [ -n "${made_here:-}" ] && [ -f "$cache" ] || return 0
  rest=$classes:
  while [ -n "$rest" ]; do
    jar=${rest%%:*}
    rest=${rest#*:}
    [ "$jar" -nt "$cache" ] || continue
    rm -f "$cache" 2>/dev/null || cache=$cache.outdated
    return 0
  done
}
fresh "$caches-up.aot"
COPPICE_UP_CACHE=$cache
fresh "$caches-quick.aot"
COPPICE_QUICK_CACHE=$cache
fresh "$caches.aot"
COPPICE_CLASS_CACHE=$cache

COPPICE_COMMAND_FLAGS="--enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m"
# useNativeAccessorOnly: the JVM spins no classes to make a record of an answer.
COPPICE_COMMAND_FLAGS="$COPPICE_COMMAND_FLAGS -Djdk.reflect.useNativeAccessorOnly=true"
# -Xms16m: the heap starts small and grows.
# locale.providers: the web server lists all locales at its start, and reading their data takes 90 ms.
# TrimNativeHeapInterval: the JVM returns unused memory every ten seconds; it warns where it cannot.
# ExitOnOutOfMemoryError: the process ends rather than answer half of its callers; the next start goes on.
COPPICE_UP_FLAGS="--enable-native-access=ALL-UNNAMED -XX:+UseG1GC -Xms16m -Xmx1g -Djava.locale.providers=SPI"
COPPICE_UP_FLAGS="$COPPICE_UP_FLAGS -XX:TrimNativeHeapInterval=10000 -Xlog:trimnative=off"
COPPICE_UP_FLAGS="$COPPICE_UP_FLAGS -XX:+ExitOnOutOfMemoryError"
flags=$COPPICE_COMMAND_FLAGS
case ${1:-} in
  up | runner) flags=$COPPICE_UP_FLAGS cache=$COPPICE_UP_CACHE ;;
  list | status | result | wait | logs | children | runs | usage | callbacks | start | tree | events | send | version) cache=$COPPICE_QUICK_CACHE ;;
esac

export COPPICE_HOME="$home" COPPICE_JAVA_HOME="$jdk" COPPICE_TERMINAL COPPICE_CALL
export COPPICE_CLASS_CACHE COPPICE_QUICK_CACHE COPPICE_UP_CACHE COPPICE_COMMAND_FLAGS COPPICE_UP_FLAGS
[ -f "$cache" ] || cache=
# shellcheck disable=SC2086 # the flags are several words
exec "$jdk/bin/java" $flags ${cache:+"-XX:AOTCache=$cache" -Xlog:aot=off -Xlog:cds=off} ${COPPICE_JAVA_OPTS:-} -cp "$classes" dev.coppice.cli.Main "$@"
