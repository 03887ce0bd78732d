package dev.coppice.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A lifecycle's table as a page of the documentation; the page and the code must not differ. */
public final class LifecyclePage {
    private static final Path PAGES =
            Path.of(System.getProperty("coppice.root", "..")).resolve("docs/lifecycles");

    private LifecyclePage() {}

    /** With {@code -Dcoppice.rewrite=true} the page is written anew instead of compared. */
    public static void matches(String name, String title, String table) {
        var page =
                """
                # %s

                Made from the code by its test; what is not listed is refused.

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

    /** Every case of a sealed type, those of its sealed cases included. */
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
