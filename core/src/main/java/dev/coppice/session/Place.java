package dev.coppice.session;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/** The place of a session in its tree. The path consists of names, the root's first. */
public record Place(@Nullable Parent parent, SessionId root, int depth, String path) {
    /** A parent's id and name, which are always shown together. */
    public record Parent(SessionId id, String name) {}

    static Place ofRoot(SessionId id, String name) {
        return new Place(null, id, 0, name);
    }

    Place ofChild(SessionId self, String selfName, String childName) {
        return new Place(new Parent(self, selfName), root, depth + 1, path + "." + childName);
    }

    public @Nullable SessionId parentId() {
        return parent == null ? null : parent.id();
    }
}
