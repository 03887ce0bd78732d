package dev.coppice.cli.hosts;

import static dev.coppice.cli.hosts.SshHost.quoted;

/** The scripts of the POSIX shell that run on a host. */
final class HostScripts {
    private HostScripts() {}

    /**
     * Makes the directory, and prints the system, the processor, the directory, the id in it,
     * 'token' if a runner has one there, and the programs there. The id is '!' if the directory has
     * other things in it.
     */
    static String preparing(String directory, String id) {
        return """
        set -eu
        umask 077
        cd
        dir=%1$s
        mkdir -p -- "$dir"
        cd -- "$dir"
        uname -s
        uname -m
        pwd -P
        if [ ! -e host ] && [ -n "$(ls -A)" ]; then echo '!'; exit 0; fi
        [ -e host ] || echo %2$s >host
        cat host
        [ ! -e data/token ] || echo token
        for each in program-*; do [ ! -d "$each" ] || echo "$each"; done
        """
                .formatted(quoted(directory), quoted(id));
    }

    /** Goes to the directory; ends if it is not there, or that of another coordinator. */
    private static String entering(SshHost host) {
        return """
        set -u
        umask 077
        cd -- %1$s 2>/dev/null || { echo "its directory %2$s is gone" >&2; exit 1; }
        [ "$(cat host gone 2>/dev/null)" = %3$s ] || {
          echo "its directory is that of another coordinator" >&2
          exit 1
        }
        # A process by its number and the time of its start, as another may get the number.
        born() { cut -d ' ' -f 22 "/proc/$1/stat" 2>/dev/null; }
        """
                .formatted(
                        quoted(host.directory()),
                        host.directory().replaceAll("[^A-Za-z0-9/._-]", "?"),
                        quoted(host.id()));
    }

    /** Ends the process of sshd that holds the other end of an earlier tunnel. */
    static String freeing(SshHost host) {
        return entering(host)
                + """
                [ -e host ] || { echo 'it is being removed' >&2; exit 1; }
                read -r pid time <tunnel 2>/dev/null || exit 0
                if [ "$(born "$pid")" = "$time" ]; then kill "$pid"; fi
                rm -f tunnel
                exit 0
                """;
    }

    /** Writes what a runner there needs: its token, the address of the tunnel, and its tags. */
    static String equipping(SshHost host, String token) {
        return entering(host)
                + """
                mkdir -p data
                printf '%%s\\n' %1$s >data/url
                printf '%%s\\n' %2$s >data/token
                rm -f data/tags
                [ -z %3$s ] || printf '%%s\\n' %3$s >data/tags
                """
                        .formatted(
                                quoted("http://127.0.0.1:" + host.port()),
                                quoted(token),
                                quoted(String.join(",", host.tags())));
    }

    /** Finds the runner, by the program that its process runs. */
    private static final String RUNNER =
            """
            runs() {
              read -r pid time <pid 2>/dev/null && [ "$(born "$pid")" = "$time" ] || return 1
              exe=$(readlink "/proc/$pid/exe" 2>/dev/null) || return 1
            }
            ends() { # waits for the end of process $pid, at most so many tenths of a second
              left=$1
              while [ "$(born "$pid")" = "$time" ] && [ "$left" -gt 0 ]; do
                sleep 0.1
                left=$((left - 1))
              done
              [ "$left" -gt 0 ]
            }
            """;

    /**
     * Starts the runner, unless it runs; again when it has ended, at each line of standard input.
     * One of an earlier program is replaced, and its agents go on. Prints the runner's id.
     */
    static String keeping(SshHost host) {
        var capacity = host.capacity();
        var options = capacity == null ? "" : " --capacity " + quoted(capacity);
        return entering(host)
                + RUNNER
                + """
                echo "$PPID $(born "$PPID")" >tunnel
                program=$PWD/%1$s
                keep() {
                  [ -e host ] || exit 1
                  if runs; then
                    case $exe in "$program"/*) return ;; esac
                    : >data/runner/leave
                    kill "$pid"
                    ends 300 || { kill -9 "$pid"; ends 50; }
                  fi
                  [ ! -e runner.log ] || mv -f runner.log runner.log.1
                  : >runner.log
                  alone=nohup
                  if command -v setsid >/dev/null 2>&1; then alone=setsid; fi
                  unset COPPICE_URL COPPICE_TOKEN COPPICE_DATA COPPICE_CONTEXT
                  "$alone" "$program/bin/coppice" runner --data "$PWD/data"%2$s \\
                    >>runner.log 2>&1 </dev/null &
                  pid=$!
                  echo "$pid $(born "$pid")" >pid
                }
                # Earlier programs are deleted when no process runs from them.
                sweep() {
                  for each in program-*; do
                    [ "$PWD/$each" != "$program" ] && [ -d "$each" ] || continue
                    used=
                    for exe in /proc/[0-9]*/exe; do
                      case $(readlink "$exe" 2>/dev/null) in "$PWD/$each/"*) used=1 ;; esac
                    done
                    [ -n "$used" ] || rm -rf "$each"
                  done
                }
                answer() {
                  keep
                  left=200
                  while [ "$left" -gt 0 ] && [ "$(born "$pid")" != "" ]; do
                    id=$(sed -n 's/^Runner \\([^ ]*\\) takes runs.*/\\1/p' runner.log)
                    if [ -n "$id" ]; then echo "runner $id"; return; fi
                    sleep 0.1
                    left=$((left - 1))
                  done
                  last=$(tail -n 1 runner.log | tr -d '\\000-\\037' | cut -c 1-500)
                  echo "${last:-it does not start}"
                }
                answer
                sweep
                while read -r _; do answer; done
                """
                        .formatted(host.program(), options);
    }

    /** Counts the directories with work of sessions there. */
    static String counting(SshHost host) {
        return entering(host) + "ls -A data/runner/work 2>/dev/null | wc -l\n";
    }

    /** Ends the connection and the runner with its agents, and deletes every byte. */
    static String deleting(SshHost host) {
        return entering(host)
                + RUNNER
                + """
                # Without this file a connection that comes back starts nothing.
                [ ! -e host ] || mv -f host gone
                if read -r pid time <tunnel 2>/dev/null && [ "$(born "$pid")" = "$time" ]; then
                  kill "$pid"
                fi
                if runs; then
                  kill "$pid"
                  ends 300 || { echo 'its runner does not end' >&2; exit 1; }
                fi
                dir=$PWD
                cd / && rm -rf -- "$dir"
                """;
    }
}
