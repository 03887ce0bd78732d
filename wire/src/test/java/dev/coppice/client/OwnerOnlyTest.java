package dev.coppice.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Tokens and databases are for their owner alone, also where others have made the file. */
class OwnerOnlyTest {
    @TempDir Path temp;

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path file(String rights) throws IOException {
        var file = Files.writeString(temp.resolve("token"), "secret");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    @Test
    void a_new_directory_is_closed_to_others() throws IOException {
        var directory = temp.resolve("a/b");
        OwnerOnly.directory(directory);
        assertThat(rights(directory)).isEqualTo("rwx------");
    }

    @Test
    void a_directory_that_is_open_to_others_is_closed() throws IOException {
        var directory = Files.createDirectory(temp.resolve("data"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        OwnerOnly.directory(directory);
        assertThat(rights(directory)).isEqualTo("rwx------");
    }

    @Test
    void a_new_file_is_closed_before_it_has_content() throws IOException {
        var file = temp.resolve("token");
        OwnerOnly.create(file);
        assertThat(rights(file)).isEqualTo("rw-------");
        assertThat(file).isEmptyFile();
    }

    @Test
    void a_file_that_is_open_to_others_is_closed_and_keeps_its_content() throws IOException {
        var file = file("rw-r--r--");
        OwnerOnly.create(file);
        assertThat(rights(file)).isEqualTo("rw-------");
        assertThat(file).hasContent("secret");
    }

    @Test
    void a_file_with_fewer_rights_is_not_given_more() throws IOException {
        var file = file("r--------");
        OwnerOnly.file(file);
        assertThat(rights(file)).isEqualTo("r--------");
    }

    @Test
    void a_file_that_is_missing_is_not_made() throws IOException {
        OwnerOnly.file(temp.resolve("token"));
        assertThat(temp.resolve("token")).doesNotExist();
    }
}
