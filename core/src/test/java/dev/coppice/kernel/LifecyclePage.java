package dev.coppice.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Compares the table of a lifecycle with its page in the documentation. */
public final class LifecyclePage {
    private static final Path PAGES =
            Path.of(System.getProperty("coppice.root", "..")).resolve("docs/lifecycles");

    private LifecyclePage() {}

    /** With {@code -Dcoppice.rewrite=true} the page is rewritten first. */
    public static void matches(String name, String title, String table) {
        var page =
                """
                # %s

                Generated from the code by its test. Transitions that are not listed are refused.

                ```
                %s```
                """
                        .formatted(title, table);
        var file = PAGES.resolve(name + ".md");
        try {
            if (Boolean.getBoolean("coppice.rewrite")) Files.writeString(file, page);
            assertThat(file)
                    .as("rewrite it with: mvn -pl core test -Dcoppice.rewrite=true")
                    .content()
                    .isEqualToNormalizingNewlines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All cases of a sealed type, including those of its sealed cases. */
    public static List<Class<?>> cases(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses())
                        .flatMap(c -> cases(c).stream())
                        .toList()
                : List.of(type);
    }

    public static String name(Object o) {
        return o.getClass().getSimpleName();
    }
}
