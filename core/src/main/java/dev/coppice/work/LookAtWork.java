package dev.coppice.work;

import dev.coppice.kernel.SessionId;
import dev.coppice.run.Desk;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;

/** Has runners look, and change nothing; whoever asks waits for as long as it likes. */
public final class LookAtWork {
    public static final int PLACES_MAX = 2_000;
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

    /** A copy is needed until its backup is written, however large that is. */
    private static final Duration COPIES_FORGOTTEN_AFTER = Duration.ofDays(1);

    private final Desk desk;
    private final Errands errands;

    public LookAtWork(Desk desk, Errands errands) {
        this.desk = desk;
        this.errands = errands;
    }

    /** As it would be kept: what nobody wants to keep is not looked through. */
    public List<Errands.Asked> ask(
            SessionId top,
            Errands.Reach reach,
            Errand.Ignored ignored,
            Errand.Directories directories) {
        return desk.transactions()
                .write(() -> {
                    if (desk.sessions().find(top).isEmpty()) return List.of();
                    var terms = new Errand.Terms(ignored, directories, desk.clock().instant());
                    var around = new Errands.Around(top, reach);
                    return errands.look(around, Errand.Kind.LOOK, terms, PLACES_MAX);
                });
    }

    /** Has what is unsaved in a tree that stays copied into files. */
    public List<Errands.Asked> copy(SessionId top) {
        return desk.transactions()
                .write(() -> {
                    var around = new Errands.Around(top, Errands.Reach.TREE);
                    var terms = Errand.Terms.at(desk.clock().instant());
                    return errands.look(around, Errand.Kind.COPY, terms, PLACES_MAX);
                });
    }

    /** Those that were answered; nobody waits for the others, and what they hand in is refused. */
    public Copied copied(List<Errands.Asked> asked) {
        return desk.transactions()
                .write(() -> {
                    var done = asked.stream().filter(a -> errands.hasAnswered(a.id())).toList();
                    var left = asked.stream().filter(a -> !done.contains(a)).toList();
                    errands.forget(left.stream().map(Errands.Asked::id).toList());
                    return new Copied(
                            done.stream().map(Errands.Asked::id).toList(),
                            left.stream().map(Errands.Asked::host).distinct().toList());
                });
    }

    /** Where work was copied, and the hosts on which it was not. */
    public record Copied(List<ErrandId> errands, List<String> notKept) {}

    /** What was copied is in the backup by now, or never will be. */
    public void forget(List<ErrandId> copies) {
        desk.transactions()
                .write(() -> {
                    errands.forget(copies);
                    return copies;
                });
    }

    /** Has these hosts look for what nothing remembers. */
    public List<Errands.Asked> check(List<String> hosts) {
        return desk.transactions()
                .write(() -> {
                    var terms = Errand.Terms.at(desk.clock().instant());
                    return errands.check(hosts, terms, PLACES_MAX);
                });
    }

    /** Also when someone has looked and could not see. */
    public boolean isSeen(List<Errands.Asked> asked) {
        return desk.transactions()
                .read(() -> asked.stream().noneMatch(a -> errands.isOpen(a.id())));
    }

    /** What was found until now; the errands are over with it. */
    public WorkSeen seen(List<Errands.Asked> asked) {
        if (asked.isEmpty()) return WorkSeen.NOTHING;
        return desk.transactions()
                .write(() -> {
                    var unseen = new LinkedHashSet<String>();
                    var failures = new HashMap<String, String>();
                    for (var a : asked) {
                        if (errands.hasAnswered(a.id())) continue;
                        unseen.add(a.host());
                        errands.failure(a.id()).ifPresent(why -> failures.put(a.host(), why));
                    }
                    var ids = asked.stream().map(Errands.Asked::id).toList();
                    var found = WorkSeen.of(errands.found(ids), List.copyOf(unseen), failures);
                    errands.forget(ids);
                    return found;
                });
    }

    /** Those that nobody came back for. */
    public int forgotten() {
        var now = desk.clock().instant();
        var looks = now.minus(FORGOTTEN_AFTER);
        var copies = now.minus(COPIES_FORGOTTEN_AFTER);
        return desk.transactions().write(() -> errands.forgetLooks(looks, copies));
    }
}
