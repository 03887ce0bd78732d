package dev.coppice.cli.connect;

import java.nio.file.Path;

/**
 * The script through which hook commands send events. It holds the token, so that it is neither in
 * the configuration of the program, which others may read, nor among the arguments of a process,
 * which every user of the machine can list.
 */
record HookScript(Path file) {
    /** The second token is that of the run, if Coppice has started the program. */
    private static final String TEXT =
            """
            # Written by 'coppice connect'; its --undo deletes it. The arguments are curl's.
            exec curl -H 'Content-Type: application/json' -H @/dev/fd/3 --data-binary @- "$@" 3<<END
            Authorization: Bearer TOKEN
            X-Agent-Token: $COPPICE_TOKEN
            END
            """;

    void write(String token) {
        SecretFile.write(file, TEXT.replace("Bearer TOKEN", "Bearer " + token));
    }

    void delete() {
        SecretFile.delete(file);
    }

    /** Returns the shell command that starts it. */
    String command() {
        return "sh '" + file.toString().replace("'", "'\\''") + "'";
    }
}
