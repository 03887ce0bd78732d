package dev.coppice.runner.raw;

import dev.coppice.tar.Tar;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The properties that restored files lack: each kind of loss, with the names of some files. */
public final class Losses {
    private static final int KINDS_MAX = 50;
    private static final int NAMES_MAX = 5;
    private static final int SETUID = 04000;
    private static final int SETGID = 02000;
    private static final int STICKY = 01000;
    private static final int GROUP = 0070;
    private static final String ACCESS_LIST = "system.posix_acl_access";
    private final Map<Kind, Named> kinds = new LinkedHashMap<>();
    private int otherKinds;

    /** A kind of loss, and the user whose restore would not have it; empty if there is none. */
    private record Kind(String what, String user) {}

    private static final class Named {
        private final List<String> some = new ArrayList<>();
        private int all;
    }

    /** The bits of a mode that a file keeps if it belongs to {@code now} after a restore. */
    static int restorable(int mode, Tar.Owner was, Tar.Owner now) {
        boolean sameUser = was.isSameUser(now);
        int bits = sameUser ? SETUID | STICKY : 0;
        // For another group, the bit would let the program act as that group.
        if (sameUser && was.group() == now.group()) bits |= SETGID;
        return mode & (0777 | bits);
    }

    /**
     * The mode without the rights of the group if it had an access control list: those bits are the
     * list's mask, and without the list would go to the group.
     */
    static int withoutList(int mode, String omitted) {
        return List.of(omitted.split(",", -1)).contains(ACCESS_LIST) ? mode & ~GROUP : mode;
    }

    /** Adds what a file loses if it belongs to {@code now} after a restore. */
    public void add(String raw, int mode, Tar.Owner was, Tar.Owner now) {
        addBits(raw, mode & ~restorable(mode, was, now), "");
        if (was.equals(Tar.Owner.UNKNOWN)) return;
        if (!was.isSameUser(now)) add(kind("owner " + was.userName()), raw);
        if (was.group() != now.group()) add(kind("group " + was.groupName()), raw);
    }

    /** Adds the bits that a file keeps if it belongs to {@code now}, and loses otherwise. */
    public void addForOthers(String raw, int mode, Tar.Owner was, Tar.Owner now) {
        addBits(raw, restorable(mode, was, now), RawName.shown(was.userName()));
    }

    private void addBits(String raw, int mode, String user) {
        if ((mode & SETUID) != 0) add(new Kind("setuid bit", user), raw);
        if ((mode & SETGID) != 0) add(new Kind("setgid bit", user), raw);
        if ((mode & STICKY) != 0) add(new Kind("sticky bit", user), raw);
    }

    /** Adds extended attributes, whose names have commas between them. */
    public void addExtended(String raw, String names) {
        if (names.isEmpty()) return;
        for (var name : names.split(",", -1)) add(kind(attribute(name)), raw);
    }

    private static String attribute(String name) {
        return switch (name) {
            case "security.capability" -> "capabilities";
            case ACCESS_LIST -> "access control list, and with it the rights of the group,";
            case "system.posix_acl_default", "system.nfs4_acl" -> "access control list";
            default -> "extended attribute " + name;
        };
    }

    private static Kind kind(String raw) {
        return new Kind(RawName.shown(raw), "");
    }

    private void add(Kind kind, String raw) {
        if (!kinds.containsKey(kind) && kinds.size() == KINDS_MAX) {
            otherKinds++;
            return;
        }
        var named = kinds.computeIfAbsent(kind, _ -> new Named());
        named.all++;
        if (named.some.size() < NAMES_MAX) named.some.add(RawName.shown(raw));
    }

    /** Returns a note for each kind of loss. */
    public List<String> notes() {
        var notes = new ArrayList<String>();
        kinds.forEach((kind, named) -> {
            int more = named.all - named.some.size();
            var names = String.join(", ", named.some);
            var others = more > 0 ? " and %d more".formatted(more) : "";
            var user = kind.user();
            var unless = user.isEmpty() ? "" : ", unless %s restores it".formatted(user);
            notes.add("not restored: %s of %s%s%s".formatted(kind.what(), names, others, unless));
        });
        if (otherKinds > 0) notes.add("not restored: %d other attributes".formatted(otherKinds));
        return List.copyOf(notes);
    }
}
