package dev.coppice.cli.hosts;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Console;
import dev.coppice.wire.Release;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The program for another machine: an archive, or a directory that one was unpacked into.
 *
 * @param name stands for its content, so another build has another name
 * @param platform the system and the processor that it runs on
 */
record HostProgram(String name, String platform, Path place) {
    private static final Pattern ARCHIVE =
            Pattern.compile("coppice-([0-9][A-Za-z0-9.+_-]*)-([a-z]+-[a-z0-9]+)\\.tar\\.gz");
    private static final int DIGITS = 12;

    /** The program of an archive that was named, else that of this installation. */
    static HostProgram of(@Nullable Path archive, Console console) {
        if (archive != null) return archived(archive);
        var home = console.env("COPPICE_HOME");
        if (home != null && Files.exists(Path.of(home, "lib", "java"))) {
            return installed(Path.of(home));
        }
        var made = home == null ? null : made(Path.of(home, "target", "dist"));
        if (made != null) return archived(made);
        throw new Args.Invalid(
                "there is no program to copy: run './coppice dist' in the checkout, or name an"
                        + " archive with --archive");
    }

    private static @Nullable Path made(Path directory) {
        if (!Files.isDirectory(directory)) return null;
        try (var all = Files.newDirectoryStream(directory, "coppice-*.tar.gz")) {
            var each = all.iterator();
            return each.hasNext() ? each.next() : null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + directory, e);
        }
    }

    private static HostProgram archived(Path archive) {
        var found = ARCHIVE.matcher(archive.getFileName().toString());
        if (!found.matches() || !Files.isRegularFile(archive)) {
            throw new Args.Invalid(
                    "%s is no archive coppice-VERSION-PLATFORM.tar.gz".formatted(archive));
        }
        return new HostProgram(named(found.group(1), archive), found.group(2), archive);
    }

    private static HostProgram installed(Path home) {
        var platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"));
        var sums = home.resolve("SHA256SUMS");
        return new HostProgram(named(Release.ours().version(), sums), platform, home);
    }

    /** The platform in the words of an archive's name. */
    static String platform(String system, String processor) {
        var named = system.toLowerCase(Locale.ROOT);
        return (named.startsWith("mac") || named.equals("darwin") ? "macos" : named)
                + "-"
                + switch (processor) {
                    case "amd64", "x86_64" -> "x64";
                    case "aarch64" -> "arm64";
                    default -> processor;
                };
    }

    private static String named(String version, Path content) {
        try (var in = Files.newInputStream(content)) {
            var digest = MessageDigest.getInstance("SHA-256");
            var buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) digest.update(buffer, 0, n);
            var hash = HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
            return "program-%s-%s".formatted(version, hash);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + content, e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Copies it into the directory of the host, where it appears when it is complete. */
    void copy(SshHost host) {
        var quoted = SshHost.quoted(host.directory());
        var unpack =
                """
                cd -- %1$s && rm -rf part && mkdir part && tar -xzf - -C part && mv part/* %2$s \
                && rmdir part\
                """
                        .formatted(quoted, SshHost.quoted(name));
        var command = "exec /bin/sh -c " + SshHost.quoted(unpack);
        boolean isArchive = Files.isRegularFile(place);
        var parent = String.valueOf(place.toAbsolutePath().getParent());
        var packing = List.of("tar", "-czf", "-", "-C", parent, place.getFileName().toString());
        new Remote(host).copy(isArchive ? place : null, packing, command);
    }
}
