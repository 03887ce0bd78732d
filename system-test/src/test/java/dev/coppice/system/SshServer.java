package dev.coppice.system;

import static dev.coppice.system.MadeArchive.ran;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.scene.Debian;
import dev.coppice.scene.Temporary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A real sshd on another host, which lets in one key, and what ssh needs to know of it. */
final class SshServer implements AutoCloseable {
    private static final int PORT = 2222;

    private final Path place = Temporary.directory("coppice-ssh");
    private final FarHost host;
    private final Machine.Program server;

    SshServer(FarHost host, Machine machine) throws IOException {
        this.host = host;
        key("host");
        key("user");
        var file = place.resolve("sshd.conf");
        Files.writeString(
                file,
                """
                Port %1$d
                ListenAddress %2$s
                HostKey %3$s/host
                AuthorizedKeysFile %3$s/user.pub
                PidFile none
                StrictModes no
                UsePAM no
                PermitRootLogin yes
                """
                        .formatted(PORT, host.far(), place));
        knows("host");
        // sshd gives up its rights in this directory.
        Files.createDirectories(Path.of("/run/sshd"));
        var line = List.of(program().toString(), "-D", "-e", "-f", file.toString());
        server = machine.begin(host.command(line), Map.of("LD_LIBRARY_PATH", libraries()));
    }

    private static Path program() {
        return Debian.onThisMachine("sshd").orElseGet(() -> unpacked().resolve("usr/sbin/sshd"));
    }

    private static Path unpacked() {
        try {
            return Debian.unpacked("sshd", List.of("openssh-server"));
        } catch (Debian.Missing e) {
            assumeTrue("required".equals(System.getenv("COPPICE_PEERS")), e.getMessage());
            throw e;
        }
    }

    private static String libraries() {
        boolean isHere = Debian.onThisMachine("sshd").isPresent();
        return isHere ? "" : Debian.libraries(unpacked()).toString();
    }

    private void key(String name) {
        var file = place.resolve(name).toString();
        ran(Map.of(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file);
    }

    /** Makes ssh know the key of this name as that of the host, and no other. */
    void knows(String name) throws IOException {
        var key = Files.readString(place.resolve(name + ".pub"));
        Files.writeString(place.resolve("known"), "[%s]:%d %s".formatted(host.far(), PORT, key));
        Files.writeString(
                place.resolve("ssh.conf"),
                """
                Host *
                  IdentityFile %1$s/user
                  IdentitiesOnly yes
                  UserKnownHostsFile %1$s/known
                  GlobalKnownHostsFile none
                """
                        .formatted(place));
    }

    String address() {
        return "ssh://root@%s:%d".formatted(host.far(), PORT);
    }

    /** The command that calls ssh. */
    String command() {
        return "ssh -F " + place.resolve("ssh.conf");
    }

    @Override
    public void close() {
        server.kill();
    }
}
