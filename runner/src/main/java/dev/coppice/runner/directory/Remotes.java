package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Scratch;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Asks the remotes of a repository which commits they have. Only their addresses are taken from its
 * configuration, and only those of servers: a directory or a file may be deleted together with the
 * repository itself.
 */
final class Remotes {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int REMOTES_MAX = 5;
    private static final int TIPS_MAX = 200_000;
    private static final Pattern URL = Pattern.compile("(https?|ssh|git)://[A-Za-z0-9\\[].*");
    private static final Pattern SSH =
            Pattern.compile("[A-Za-z0-9_.]+@[A-Za-z0-9][A-Za-z0-9.-]*:[^:-].*");
    private static final Pattern TIP = Pattern.compile("([0-9a-f]{40}|[0-9a-f]{64})\t.*");
    private static final String SSH_COMMAND =
            "ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=10";

    /** Variables of the runner's environment that say how to reach other machines. */
    private static final List<String> WAYS =
            List.of(
                    "http_proxy",
                    "https_proxy",
                    "HTTPS_PROXY",
                    "no_proxy",
                    "NO_PROXY",
                    "SSH_AUTH_SOCK");

    private final Repository repository;

    Remotes(Repository repository) {
        this.repository = repository;
    }

    /** Returns the tips that remotes list; a remote that does not answer lists none. */
    Set<String> tips() {
        var found = new HashSet<String>();
        repository.config().remotes().stream()
                .filter(Remotes::isServer)
                .limit(REMOTES_MAX)
                .forEach(url -> ask(url, found));
        return found;
    }

    static boolean isServer(String url) {
        return URL.matcher(url).matches() || SSH.matcher(url).matches();
    }

    private static void ask(String url, Set<String> found) {
        var git =
                Git.ours(Scratch.directory("remote"))
                        .within(PATIENCE)
                        .with("GIT_ALLOW_PROTOCOL", "http:https:ssh:git")
                        .with("GIT_SSH_COMMAND", SSH_COMMAND);
        for (var way : WAYS) {
            var value = System.getenv(way);
            if (value != null) git = git.with(way, value);
        }
        try {
            git.lines(
                    new byte[0],
                    line -> {
                        var tip = TIP.matcher(line);
                        if (tip.matches() && found.size() < TIPS_MAX) found.add(tip.group(1));
                    },
                    "-c",
                    "http.followRedirects=false",
                    "ls-remote",
                    "--",
                    url);
        } catch (GitFailed e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot ask a remote", e);
        }
    }
}
