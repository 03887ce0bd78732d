package dev.coppice.runner.unsaved;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.Workplace;
import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.ErrandOrder;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;

/** One errand, done: looked at, kept, taken away. Doing it again is doing it once. */
public final class ErrandWork {
    private static final int PART_BYTES = 4 * 1024 * 1024;
    private static final List<String> PRINTED = List.of("stdin", "stdout", "stderr");

    private final ErrandOrder order;
    private final Path directory;
    private final CoppiceClient client;
    private final Keeping keeping;

    public ErrandWork(ErrandOrder order, Path directory, CoppiceClient client) {
        this.order = order;
        this.directory = directory;
        this.client = client;
        this.keeping = new Keeping(order, directory.resolve("scratch"), this::hand);
    }

    /** What has come of it, also when that is nothing. */
    public ErrandAnswer done(String runner) {
        try {
            return new ErrandAnswer(runner, null, items());
        } catch (Git.Failed | UncheckedIOException | IOException e) {
            return new ErrandAnswer(runner, String.valueOf(e.getMessage()), null);
        }
    }

    private List<ErrandAnswer.Item> items() throws IOException {
        return switch (order.kind()) {
            case "look" -> Findings.of(order).stream().map(f -> f.item(null)).toList();
            case "keep" -> kept();
            case "tidy" -> tidied(true);
            case "wipe" -> tidied(false);
            default ->
                    throw new Git.Failed(
                            "this runner knows no errand '%s'".formatted(order.kind()));
        };
    }

    private List<ErrandAnswer.Item> kept() throws IOException {
        var items = new ArrayList<ErrandAnswer.Item>();
        for (var finding : Findings.of(order)) {
            items.add(finding.item(keeping.keep(finding)));
            remember(finding);
        }
        items.addAll(output());
        return items;
    }

    /** What the agents were told and have printed. */
    private List<ErrandAnswer.Item> output() {
        var byRoot = new LinkedHashMap<Path, List<String>>();
        for (var place : order.places()) {
            byRoot.computeIfAbsent(Path.of(place.outputs()), _ -> new ArrayList<>());
        }
        var items = new ArrayList<ErrandAnswer.Item>();
        byRoot.forEach((root, files) -> {
            for (var run : order.runs()) {
                for (var name : PRINTED) {
                    var path = Workplace.safe(run) + "/" + name;
                    if (Contents.size(root.resolve(path)) > 0) files.add(path);
                }
            }
            var kept = keeping.keep(root, files);
            if (kept != null) items.add(outputItem(root, files, kept));
        });
        return items;
    }

    private ErrandAnswer.Item outputItem(Path root, List<String> files, ErrandAnswer.Kept kept) {
        long bytes = files.stream().mapToLong(f -> Contents.size(root.resolve(f))).sum();
        var sessions = order.places().stream().map(ErrandOrder.Place::sessionName).distinct();
        return new ErrandAnswer.Item(
                root.toString(),
                "output",
                sessions.toList(),
                0,
                0,
                0,
                0,
                0,
                bytes,
                "",
                null,
                null,
                kept,
                List.of(),
                List.of());
    }

    /**
     * Nothing but what Coppice has made goes. What has changed since it was kept is kept once more
     * before; what could not be kept stays.
     */
    private List<ErrandAnswer.Item> tidied(boolean keepFirst) throws IOException {
        var items = new ArrayList<ErrandAnswer.Item>();
        for (var finding : Findings.of(order)) {
            if (!finding.owners().made) continue;
            boolean known = finding.fingerprint().equals(remembered(finding));
            var kept = keepFirst && !known ? keeping.keep(finding) : null;
            if (kept != null) items.add(finding.item(kept));
            boolean stays =
                    keepFirst
                            && finding instanceof Finding.Plain(_, var files, _)
                            && !files.tooLarge.isEmpty();
            if (stays)
                throw new Git.Failed(finding.directory() + " has files too large to be kept");
        }
        for (var place : order.places()) {
            if (place.made()) takeAway(place);
            for (var run : order.runs()) takeOutput(Path.of(place.outputs()), run);
        }
        if (order.removalId() != null) {
            Directory.delete(notes());
        }
        return items;
    }

    private void takeAway(ErrandOrder.Place place) throws IOException {
        var path = Path.of(place.directory());
        if (!Files.isDirectory(path)) return;
        if (!Workplace.isMade(path, place.sessionId())) {
            throw new Git.Failed(path + " was not made by Coppice, and stays");
        }
        for (var repository : Directory.at(path).repositories) unlink(repository);
        unlink(path);
        Directory.delete(path);
    }

    /** A work tree of a repository that stays is taken off its list as well. */
    private static void unlink(Path top) {
        if (!Files.isRegularFile(top.resolve(".git"))) return;
        var git = Git.in(top);
        var common = git.tryText("rev-parse", "--path-format=absolute", "--git-common-dir");
        if (common == null) return;
        Git.in(Path.of(common)).tryText("worktree", "remove", "--force", "--force", top.toString());
    }

    private static void takeOutput(Path outputs, String run) throws IOException {
        if (!Workplace.isOurs(outputs.getParent())) return;
        Directory.delete(outputs.resolve(Workplace.safe(run)));
    }

    private Path notes() {
        return directory.resolve("kept").resolve(Workplace.safe(String.valueOf(order.removalId())));
    }

    private void remember(Finding finding) throws IOException {
        Files.createDirectories(notes());
        Files.writeString(
                notes().resolve(Keeping.name(finding.directory())), finding.fingerprint());
    }

    private @Nullable String remembered(Finding finding) throws IOException {
        var note = notes().resolve(Keeping.name(finding.directory()));
        return Files.exists(note) ? Files.readString(note) : null;
    }

    private void hand(String name, Path file) {
        var path = "/runner/errands/" + order.errandId() + "/part";
        try (var in = Files.newInputStream(file)) {
            long at = 0;
            var bytes = in.readNBytes(PART_BYTES);
            while (bytes.length > 0) {
                var data = Base64.getEncoder().encodeToString(bytes);
                var answer = client.post(path, new ErrandAnswer.Part(name, at, data));
                if (!answer.isGood()) throw new Git.Failed(answer.error());
                at += bytes.length;
                bytes = in.readNBytes(PART_BYTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("handing in " + file, e);
        }
    }
}
