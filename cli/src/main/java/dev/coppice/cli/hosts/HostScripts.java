package dev.coppice.cli.hosts;

import static dev.coppice.cli.hosts.SshHost.quoted;

/** The scripts of the POSIX shell that run on a host. */
final class HostScripts {
    /** Begins each line that is an answer: the shell of a login may print others before. */
    static final String ANSWER = "coppice: ";

    private HostScripts() {}

    private static final String SAY =
            """
            say() { printf '%s%s\\n' 'coppice: ' "$*"; }
            """;

    /**
     * Makes the directory, and answers with the system, the processor, the directory, the id in it,
     * 'token' if a runner has one there, and the programs there. The id is '!' if the directory has
     * other things in it.
     */
    static String preparing(String directory, String id) {
        return SAY
                + """
                set -eu
                umask 077
                cd
                dir=%1$s
                mkdir -p -- "$dir"
                cd -- "$dir"
                say "$(uname -s)"
                say "$(uname -m)"
                say "$(pwd -P)"
                if [ ! -e host ] && [ -n "$(ls -A)" ]; then say '!'; exit 0; fi
                [ -e host ] || echo %2$s >host
                say "$(cat host)"
                [ ! -e data/token ] || say token
                for each in program-*; do [ ! -d "$each" ] || say "$each"; done
                """
                        .formatted(quoted(directory), quoted(id));
    }

    /** Goes to the directory; ends if it is not there, or that of another coordinator. */
    private static String entering(SshHost host, String absent) {
        return SAY
                + """
                set -u
                umask 077
                cd -- %1$s 2>/dev/null || { %4$s; }
                [ "$(cat host 2>/dev/null || cat gone 2>/dev/null)" = %3$s ] || {
                  echo "its directory %2$s is not that of this coordinator" >&2
                  exit 1
                }
                # A process by its number and the time of its start, as another may get the number.
                born() { cut -d ' ' -f 22 "/proc/$1/stat" 2>/dev/null; }
                lives() { [ -n "$time" ] && [ "$(born "$pid")" = "$time" ]; }
                """
                        .formatted(
                                quoted(host.directory()),
                                host.directory().replaceAll("[^A-Za-z0-9/._-]", "?"),
                                quoted(host.id()),
                                absent);
    }

    private static String entering(SshHost host) {
        return entering(host, "echo 'its directory is gone' >&2; exit 1");
    }

    /** Ends the process of sshd that holds the other end of an earlier tunnel. */
    static String freeing(SshHost host) {
        return entering(host)
                + """
                [ -e host ] || { echo 'it is being removed' >&2; exit 1; }
                read -r pid time <tunnel 2>/dev/null || exit 0
                if lives; then kill "$pid"; fi
                rm -f tunnel
                exit 0
                """;
    }

    /**
     * Finds the runner: the process that a file names, else the one that runs our program with our
     * directory.
     */
    private static final String RUNNER =
            """
            runs() {
              pid= time=
              read -r pid time <pid 2>/dev/null
              if [ -n "$pid" ] && lives; then
                exe=$(readlink "/proc/$pid/exe" 2>/dev/null) && return
              fi
              for each in /proc/[0-9]*/exe; do
                exe=$(readlink "$each" 2>/dev/null) || continue
                case $exe in "$PWD"/program-*) ;; *) continue ;; esac
                pid=${each#/proc/}
                pid=${pid%/exe}
                case $(tr '\\000' ' ' <"/proc/$pid/cmdline" 2>/dev/null) in
                  *"cli.Main runner --data $PWD/data "*) time=$(born "$pid"); return ;;
                esac
              done
              return 1
            }
            ends() { # waits for the end of process $pid, at most so many tenths of a second
              left=$1
              while lives && [ "$left" -gt 0 ]; do
                sleep 0.1
                left=$((left - 1))
              done
              [ "$left" -gt 0 ]
            }
            leaves() { # ends the runner, and its agents go on
              : >data/runner/leave
              kill "$pid"
              ends 300 || { kill -9 "$pid"; ends 50; }
            }
            """;

    /**
     * Writes what a runner there needs: the address of the tunnel, its tags, and its token unless
     * that is empty. One that runs is ended without its agents, since it has another token.
     */
    static String equipping(SshHost host, String token) {
        return entering(host)
                + RUNNER
                + """
                mkdir -p data
                printf '%%s\\n' %1$s >data/url
                if [ -n %2$s ]; then
                  printf '%%s\\n' %2$s >data/token.new
                  mv -f data/token.new data/token
                fi
                rm -f data/tags
                [ -z %3$s ] || printf '%%s\\n' %3$s >data/tags
                if runs; then leaves; fi
                """
                        .formatted(
                                quoted("http://127.0.0.1:" + host.port()),
                                quoted(token),
                                quoted(String.join(",", host.tags())));
    }

    /**
     * Starts the runner, unless it runs; again when it has ended, at each line of standard input.
     * One of an earlier program is replaced, and its agents go on. Answers with the runner's id.
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
                    leaves
                  fi
                  [ ! -e runner.log ] || mv -f runner.log runner.log.1
                  : >runner.log
                  alone=nohup
                  if command -v setsid >/dev/null 2>&1; then alone=setsid; fi
                  unset COPPICE_URL COPPICE_TOKEN COPPICE_DATA COPPICE_CONTEXT
                  "$alone" "$program/bin/coppice" runner --data "$PWD/data"%2$s \\
                    >>runner.log 2>&1 </dev/null &
                  pid=$!
                  time=$(born "$pid")
                  echo "$pid $time" >pid.new && mv -f pid.new pid
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
                  while [ "$left" -gt 0 ] && lives; do
                    id=$(sed -n 's/^Runner \\([^ ]*\\) takes runs.*/\\1/p' runner.log)
                    if [ -n "$id" ]; then say "runner $id"; return; fi
                    sleep 0.1
                    left=$((left - 1))
                  done
                  last=$(tail -n 1 runner.log | tr -d '\\000-\\037' | cut -c 1-500)
                  say "${last:-it does not start}"
                }
                answer
                sweep
                while read -r _; do answer; done
                """
                        .formatted(host.program(), options);
    }

    /** Answers with the number of directories with work of sessions there, and of runs at work. */
    static String counting(SshHost host) {
        return entering(host, "say 0; say 0; exit 0")
                + """
                if [ ! -e data/runner ]; then say 0; say 0; exit 0; fi
                work=$(ls -A data/runner) || exit 1
                work=0
                for each in data/runner/work/*; do [ ! -e "$each" ] || work=$((work + 1)); done
                runs=0
                for each in data/runner/runs/*/held.json; do
                  [ ! -e "$each" ] || runs=$((runs + 1))
                done
                say "$work"
                say "$runs"
                """;
    }

    /** Ends the connection and the runner with its agents, and deletes every byte. */
    static String deleting(SshHost host) {
        return entering(host, "exit 0")
                + RUNNER
                + """
                # Without this file a connection that comes back starts nothing.
                [ ! -e host ] || mv -f host gone
                if read -r pid time <tunnel 2>/dev/null && lives; then kill "$pid"; fi
                if runs; then
                  kill "$pid"
                  ends 300 || { echo 'its runner does not end' >&2; exit 1; }
                fi
                # A runner that was killed has left processes: they run from here, or in here.
                for each in /proc/[0-9]*; do
                  [ "${each#/proc/}" != $$ ] || continue
                  case "$(readlink "$each/exe" 2>/dev/null) $(readlink "$each/cwd" 2>/dev/null)/" in
                    "$PWD/program-"* | *" $PWD/data/"*) kill -9 "${each#/proc/}" 2>/dev/null ;;
                  esac
                done
                dir=$PWD
                for each in * .[!.]*; do [ "$each" = gone ] || rm -rf -- "$each"; done
                cd / && rm -rf -- "$dir"
                """;
    }
}
