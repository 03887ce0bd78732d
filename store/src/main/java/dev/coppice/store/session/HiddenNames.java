package dev.coppice.store.session;

import dev.coppice.kernel.Bounds;
import dev.coppice.session.SessionName;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;

import java.util.List;

/**
 * A visible session may take the name of a hidden one. The hidden session gets a temporary name,
 * and its own one back when its removal is undone and the name is free.
 */
public final class HiddenNames {
    private static final Sql FREE_NAME =
            Sql.of(
                    """
                    update any_session set lent_name = name, name = name || ' ' || key
                    where name = :name and removal in (
                        select key from removal where out_of_sight = 1)
                    """);
    private static final Sql LENT =
            Sql.of(
                    """
                    select s.key, s.lent_name,
                        exists (
                            select 1 from any_session v where v.name = s.lent_name
                            and v.removal = s.removal)
                        or exists (
                            select 1 from session v where v.name = s.lent_name) as taken
                    from any_session s
                    where s.lent_name is not null and s.removal = :removal order by s.trail
                    """);
    private static final Sql GIVE_BACK =
            Sql.of("update any_session set name = :name, lent_name = null where key = :key");
    private static final Sql PLACE =
            Sql.of(
                    """
                    select s.trail, s.path, coalesce(p.path, '') as above
                    from any_session s left join any_session p on p.key = s.parent
                    where s.key = :key
                    """);
    private static final Sql REPATH =
            Sql.of(
                    """
                    update any_session
                    set path = :path || substr(path, cast(:from as integer))
                    where trail >= :trail and trail < :end
                    """);
    private static final Sql IS_TAKEN =
            Sql.of("select count(*) from any_session where name = :name");
    private static final Sql IS_ITS_OWN =
            Sql.of(
                    """
                    select count(*) from any_session
                    where name = :name and removal = :removal
                    """);

    private static final Sql OUT_OF_SIGHT =
            Sql.of(
                    """
                    select m.key from any_session s join removal m on m.key = s.removal
                    where s.name = :name and m.out_of_sight = 1
                    """);

    /** Frees the name if a hidden session has it. */
    void freeName(String name) {
        var held = Tx.call(OUT_OF_SIGHT).set("name", name).first(row -> row.number("key"));
        if (held.isPresent()) Tx.call(FREE_NAME).set("name", name).update();
    }

    /** True if any session, visible or hidden, has the name. */
    public static boolean isTaken(String name) {
        return Tx.call(IS_TAKEN).set("name", name).number() > 0;
    }

    private record Lent(long key, String name, boolean taken) {}

    private static List<Lent> lent(long removal) {
        return Tx.call(LENT)
                .set("removal", removal)
                .list(row -> new Lent(row.number("key"), row.text("lent_name"), row.flag("taken")));
    }

    /** Names lent by sessions of this removal that are now in use elsewhere. */
    public List<String> taken(long removal) {
        return lent(removal).stream().filter(Lent::taken).map(Lent::name).toList();
    }

    public void giveBack(long removal) {
        for (var lent : lent(removal)) {
            // A backup may hold two sessions with one name; the other one may have it already.
            boolean taken = lent.taken() || isItsOwn(lent.name(), removal);
            if (taken) {
                rename(lent.key(), another(lent.name()));
            } else {
                // A session of another removal may have the name; that name is freed in turn.
                freeName(lent.name());
                Tx.call(GIVE_BACK).set("key", lent.key()).set("name", lent.name()).update();
            }
        }
    }

    private static boolean isItsOwn(String name, long removal) {
        return Tx.call(IS_ITS_OWN).set("name", name).set("removal", removal).number() > 0;
    }

    /** Renames a session, and rewrites its path and the paths of all descendants. */
    private static void rename(long key, String name) {
        Tx.call(GIVE_BACK).set("key", key).set("name", name).update();
        var at =
                Tx.call(PLACE)
                        .set("key", key)
                        .first(row ->
                                new At(row.text("trail"), row.text("path"), row.text("above")))
                        .orElseThrow();
        Tx.call(REPATH)
                .set("path", at.above().isEmpty() ? name : at.above() + "." + name)
                .set("from", at.path().length() + 1L)
                .set("trail", at.trail())
                .set("end", Trail.end(at.trail()))
                .update();
    }

    private record At(String trail, String path, String above) {}

    /** The first free name of {@code name-2}, {@code name-3} and so on. */
    private static String another(String given) {
        var name = SessionName.stem(given);
        for (int i = 2; ; i++) {
            var tail = "-" + i;
            int most = Bounds.NAME_CHARS_MAX - tail.length();
            var tried = name.substring(0, Math.min(name.length(), most)) + tail;
            if (!isTaken(tried)) return tried;
        }
    }
}
