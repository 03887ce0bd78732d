package dev.coppice.work;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;

/**
 * What runners found when they looked, and the hosts on which nobody has looked; or only what is
 * remembered of it. The digest stands for the state of each directory.
 */
public record WorkSeen(
        List<WorkItem> items, List<String> unseenHosts, @Nullable String remembered) {
    public static final WorkSeen NOTHING = of(List.of(), List.of());

    public WorkSeen {
        items = List.copyOf(items);
        unseenHosts = List.copyOf(unseenHosts);
    }

    public static WorkSeen of(List<WorkItem> items, List<String> unseenHosts) {
        return new WorkSeen(items, unseenHosts, null);
    }

    /** Seen before, and of that only this is left; or nothing, because it could not be seen. */
    public static WorkSeen remembered(@Nullable String digest) {
        return new WorkSeen(List.of(), digest == null ? List.of("any") : List.of(), digest);
    }

    /** What is found now, while its digest is still that of before. */
    public WorkSeen with(List<WorkItem> found) {
        return new WorkSeen(found, unseenHosts, remembered);
    }

    public boolean isUnsaved() {
        return items.stream().anyMatch(i -> !i.counts().isNothing());
    }

    public long processes() {
        return items.stream().mapToLong(i -> i.counts().processes()).sum();
    }

    /** Of these directories, unless all that is left is the digest. */
    public String digest(Predicate<WorkItem> which) {
        return remembered == null ? digestOf(items.stream().filter(which).toList()) : remembered;
    }

    private static String digestOf(List<WorkItem> items) {
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
