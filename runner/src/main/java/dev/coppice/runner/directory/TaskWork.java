package dev.coppice.runner.directory;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.raw.Handles;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.runner.raw.Scratch;
import dev.coppice.wire.Reason;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;
import dev.coppice.wire.fleet.RunnerCalls;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;

/** Executes one directory task. Executing a task again has no further effect. */
public final class TaskWork {
    private static final int PART_BYTES = 4 * 1024 * 1024;
    private static final Duration NOTED_FOR = Duration.ofDays(60);
    private static final String SCRATCH = "scratch";
    private static final String COPIES = "copies";
    private static final String PRESERVED = "preserved";
    private static final String SEEN = "seen";
    private static final List<String> PRINTED = List.of("stdin", "stdout", "stderr");

    private final DirectoryTaskOrder order;
    private final Path directory;
    private final CoppiceClient client;
    private final Preservation preservation;
    private final List<Finding> fresh = new ArrayList<>();

    public TaskWork(
            DirectoryTaskOrder order, Path directory, long archiveMax, CoppiceClient client) {
        this.order = order;
        this.directory = directory;
        this.client = client;
        this.preservation = new Preservation(order, archiveMax, this::hand);
    }

    /** Deletes temporary files of an earlier process. */
    public static void clear(Path directory) throws IOException {
        Handles.delete(directory.resolve(SCRATCH));
    }

    /**
     * Returns the notes of copies that an earlier process did not finish. Renames them, because the
     * same task may be claimed again and write its note anew.
     */
    public static List<Path> takeUnfinishedCopies(Path directory) throws IOException {
        var copies = directory.resolve(COPIES);
        var found = new ArrayList<Path>();
        if (!Files.isDirectory(copies)) return found;
        for (var note : noted(copies)) {
            var aside = Files.createTempFile(copies, mark(note) + ".", "");
            found.add(Files.move(note, aside, StandardCopyOption.REPLACE_EXISTING));
        }
        return found;
    }

    private static List<Path> noted(Path copies) throws IOException {
        try (var all = Files.list(copies)) {
            return all.toList();
        }
    }

    private static String mark(Path note) {
        return String.valueOf(note.getFileName()).replaceFirst("[.].*", "");
    }

    /** Deletes the refs of an unfinished copy. The next process retries if this fails. */
    public static void forget(Path copy) throws IOException {
        var repositories = Files.readAllLines(copy).stream().map(Path::of).toList();
        Scratch.within(() -> {
            Refs.delete(repositories, mark(copy));
            return repositories;
        });
        Files.delete(copy);
    }

    /** Executes the task and returns its result, or the reason why it failed. */
    public DirectoryTaskResult execute(String runner) {
        try {
            return Scratch.within(directory.resolve(SCRATCH), () -> answer(runner));
        } catch (PreservationFailed | UncheckedIOException e) {
            // The coordinator records nothing of a failed task, even if files were uploaded.
            fresh.clear();
            return new DirectoryTaskResult(runner, Reason.of(e), null);
        }
    }

    private DirectoryTaskResult answer(String runner) {
        try {
            return new DirectoryTaskResult(runner, null, items());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot execute task '" + order.kind() + "'", e);
        }
    }

    private List<DirectoryTaskResult.Item> items() throws IOException {
        return switch (order.kind()) {
            case "inspect" -> inspected();
            case "preserve" -> preserved();
            case "copy" -> copied();
            case "clean_up", "delete" -> cleanedUp();
            case "check" -> checked();
            case "release" -> released();
            default ->
                    throw new GitFailed(
                            "unknown task '%s'; update the runner".formatted(order.kind()));
        };
    }

    private List<DirectoryTaskResult.Item> inspected() {
        var findings = Findings.of(order);
        // A removal that discards work may discard only what was inspected last.
        if (order.removalId() != null) fresh.addAll(findings);
        return findings.stream().map(f -> told(f.item(null), f)).toList();
    }

    /** Adds notes on files left out; drops those on ignored files if the policy is to skip. */
    private DirectoryTaskResult.Item told(DirectoryTaskResult.Item item, Finding finding) {
        var all = item.noting(preservation.leftOut(finding));
        return order.ignored().equals("skip") ? all.without(WorkTree.IGNORED) : all;
    }

    /** Preserves work in files only: neither refs nor notes remain. */
    private List<DirectoryTaskResult.Item> copied() throws IOException {
        var items = new ArrayList<DirectoryTaskResult.Item>();
        var findings = Findings.of(order);
        // While refs remain, so does the note: the next process deletes them.
        var note = directory.resolve(COPIES).resolve(order.taskId());
        Files.createDirectories(directory.resolve(COPIES));
        var inGit =
                findings.stream()
                        .filter(Finding.InGit.class::isInstance)
                        .map(Finding::directory)
                        .toList();
        Files.write(note, inGit.stream().map(Path::toString).toList());
        try {
            for (var finding : findings) items.add(copied(finding));
        } finally {
            if (!new Refs(order).areIn(inGit)) Files.deleteIfExists(note);
        }
        items.addAll(output());
        return items;
    }

    private DirectoryTaskResult.Item copied(Finding finding) {
        try {
            return told(finding.item(preservation.preserve(finding)), finding);
        } finally {
            if (finding instanceof Finding.InGit) new Refs(order).delete(finding.directory());
        }
    }

    private List<DirectoryTaskResult.Item> preserved() throws IOException {
        var items = new ArrayList<DirectoryTaskResult.Item>();
        for (var finding : Findings.of(order)) {
            if (finding.owners().isPreserved()) {
                items.add(finding.item(null));
                continue;
            }
            var item = finding.item(preservation.preserve(finding));
            items.add(told(item, finding));
            fresh.add(finding);
        }
        items.addAll(output());
        return items;
    }

    /**
     * Preserves and reports work that changed since it was preserved or inspected. Deletes only if
     * there is none: the coordinator repeats the task after it recorded the report.
     */
    private List<DirectoryTaskResult.Item> cleanedUp() throws IOException {
        var items = new ArrayList<DirectoryTaskResult.Item>();
        var made = order.places().stream().filter(DirectoryTaskOrder.Place::made).toList();
        var tooLarge = new ArrayList<String>();
        var findings = Findings.of(order.about(made));
        for (var finding : findings) {
            if (isJudged(finding)) continue;
            preservation
                    .tooLarge(finding)
                    .forEach(f -> tooLarge.add(finding.directory() + "/" + f));
            if (isPreserved(finding)) continue;
            var preserved = preservation.preserve(finding);
            fresh.add(finding);
            if (preserved != null) items.add(told(finding.item(preserved), finding));
        }
        if (!items.isEmpty()) return items;
        if (!tooLarge.isEmpty()) {
            throw new GitFailed(
                    "'%s' is too large to preserve; move it away, or raise COPPICE_ARCHIVE_MAX"
                                    .formatted(tooLarge.getFirst())
                            + " of the runner");
        }
        new DirectoryDeletion(order, DirectoryDeletion.fingerprints(findings)).deleteAll();
        forget();
        fresh.clear();
        return items;
    }

    /** Lists refs, output and directories of Coppice on this host, for all sessions. */
    private List<DirectoryTaskResult.Item> checked() throws IOException {
        var items = new ArrayList<>(new Refs(order).items());
        var roots = order.places().stream().map(DirectoryTaskOrder.Place::outputs).distinct();
        for (var root : roots.filter(r -> !r.isEmpty()).toList()) {
            var outputs = Path.of(root);
            var ours = outputs.getParent();
            if (ours == null || !AgentDirectories.isOurs(ours)) continue;
            items.add(listed(outputs, "output"));
            items.add(listed(ours.resolve("work"), "plain"));
        }
        return items;
    }

    private static DirectoryTaskResult.Item listed(Path directory, String kind) throws IOException {
        if (!Files.isDirectory(directory)) {
            return DirectoryTaskResult.Item.listed(directory.toString(), kind, List.of());
        }
        try (var all = Files.list(directory)) {
            var names = all.map(Path::getFileName).map(String::valueOf).sorted().toList();
            return DirectoryTaskResult.Item.listed(directory.toString(), kind, names);
        }
    }

    private List<DirectoryTaskResult.Item> released() throws IOException {
        new Refs(order).delete();
        forget();
        return List.of();
    }

    /** Preserves input and output of the runs. */
    private List<DirectoryTaskResult.Item> output() {
        var byRoot = new LinkedHashMap<Path, List<String>>();
        for (var place : order.places()) {
            // The place of a session that another program runs has no output of ours.
            if (place.outputs().isEmpty()) continue;
            byRoot.computeIfAbsent(Path.of(place.outputs()), _ -> new ArrayList<>());
        }
        var items = new ArrayList<DirectoryTaskResult.Item>();
        byRoot.forEach((root, files) -> {
            for (var run : order.runs()) {
                for (var name : PRINTED) {
                    var path = AgentDirectories.safe(run) + "/" + name;
                    if (Contents.size(root.resolve(path)) > 0) files.add(path);
                }
            }
            var preserved = preservation.preserve(root, files);
            if (preserved != null) items.add(outputItem(root, files, preserved));
        });
        return items;
    }

    private DirectoryTaskResult.Item outputItem(
            Path root, List<String> files, DirectoryTaskResult.Preserved preserved) {
        long bytes = files.stream().mapToLong(f -> Contents.size(root.resolve(f))).sum();
        var sessions =
                order.places().stream().map(DirectoryTaskOrder.Place::sessionName).distinct();
        return new DirectoryTaskResult.Item(
                root.toString(),
                "output",
                sessions.toList(),
                0,
                0,
                0,
                0,
                0,
                bytes,
                0,
                "",
                null,
                null,
                preserved,
                List.of(),
                List.of());
    }

    private boolean isPreserved(Finding finding) {
        return finding.fingerprint().equals(noted(PRESERVED, finding));
    }

    /** True if this removal discards work and has inspected the present state. */
    private boolean isJudged(Finding finding) {
        return order.kind().equals("delete") && finding.fingerprint().equals(noted(SEEN, finding));
    }

    /** The directory of notes. Inspected work has a separate one, as it is not preserved. */
    private Path notes(String what) {
        return directory
                .resolve(what)
                .resolve(AgentDirectories.safe(String.valueOf(order.removalId())));
    }

    private void forget() throws IOException {
        Handles.delete(notes(PRESERVED));
        Handles.delete(notes(SEEN));
    }

    /** Deletes old notes. A removal that continues after that preserves its work again. */
    private static void forgetOld(Path notes) throws IOException {
        var old = Files.getLastModifiedTime(notes).toInstant().minus(NOTED_FOR);
        try (var noted = Files.newDirectoryStream(Objects.requireNonNull(notes.getParent()))) {
            for (var one : noted) {
                try {
                    boolean over = Files.getLastModifiedTime(one).toInstant().isBefore(old);
                    if (over && !one.equals(notes)) Handles.delete(one);
                } catch (IOException _) {
                    // Another task deletes them now, or a later one retries.
                }
            }
        }
    }

    /** Name of a note. A directory may have two: as an archive and as a linked work tree. */
    private static String note(Finding finding) {
        var name = Preservation.name(finding.directory());
        return finding instanceof Finding.InGit ? name + ".git" : name;
    }

    private @Nullable String noted(String what, Finding finding) {
        var note = notes(what).resolve(note(finding));
        try {
            return Files.exists(note) ? Files.readString(note) : null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + note + "'", e);
        }
    }

    /** Notes the work as preserved. Called once the coordinator has verified and recorded it. */
    public void confirmed() {
        try {
            var notes = notes(order.kind().equals("inspect") ? SEEN : PRESERVED);
            if (fresh.isEmpty()) return;
            Files.createDirectories(notes);
            for (var finding : fresh) {
                var note = notes.resolve(note(finding));
                Files.writeString(note, finding.fingerprint());
            }
            forgetOld(notes);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot note what was preserved", e);
        }
    }

    private void hand(String name, Path file) {
        try (var in = Files.newInputStream(file)) {
            long at = 0;
            var bytes = in.readNBytes(PART_BYTES);
            while (bytes.length > 0) {
                var data = Base64.getEncoder().encodeToString(bytes);
                var part = new DirectoryTaskResult.Part(name, at, data);
                var answer =
                        client.call(
                                RunnerCalls.TASK_PART,
                                new RunnerCalls.TaskPart(order.taskId(), part));
                if (!answer.isGood()) throw new GitFailed(answer.error());
                at += bytes.length;
                bytes = in.readNBytes(PART_BYTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot upload '" + file + "'", e);
        }
    }
}
