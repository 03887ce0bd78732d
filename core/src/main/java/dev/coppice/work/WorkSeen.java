package dev.coppice.work;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What runners found when they looked, and the hosts on which nobody has looked. The digest stands
 * for the state of each directory.
 */
public record WorkSeen(List<WorkItem> items, List<String> unseenHosts, String digest) {
    public static final WorkSeen NOTHING = of(List.of(), List.of());

    public WorkSeen {
        items = List.copyOf(items);
        unseenHosts = List.copyOf(unseenHosts);
    }

    public static WorkSeen of(List<WorkItem> items, List<String> unseenHosts) {
        return new WorkSeen(items, unseenHosts, digest(items));
    }

    /** Seen before, and of that only this is left; or nothing, because it could not be seen. */
    public static WorkSeen remembered(@Nullable String digest) {
        return digest == null
                ? new WorkSeen(List.of(), List.of("any"), "")
                : new WorkSeen(List.of(), List.of(), digest);
    }

    public boolean isUnsaved() {
        return items.stream().anyMatch(i -> !i.counts().isNothing());
    }

    public long processes() {
        return items.stream().mapToLong(i -> i.counts().processes()).sum();
    }

    private static String digest(List<WorkItem> items) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            items.stream()
                    .filter(i -> i.kind().isWork())
                    .map(i -> String.join("\n", i.host(), i.directory(), i.fingerprint(), ""))
                    .sorted()
                    .distinct()
                    .forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
