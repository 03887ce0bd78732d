package dev.coppice.runner.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A process that no runner started. */
public final class ForeignProcess {
    private static final String BOOT = boot();

    private ForeignProcess() {}

    /**
     * Returns what tells a live process from every other one with its id, whatever the clocks do:
     * the boot and the ticks since then. Without /proc, it is the moment of its start.
     */
    public static Optional<String> start(long pid) {
        if (!ProcessTable.isPossible()) {
            return ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .flatMap(process -> process.info().startInstant())
                    .map(moment -> Long.toString(moment.toEpochMilli()));
        }
        var stat = ProcessInfo.stat(pid);
        return stat == null || stat.isDead()
                ? Optional.empty()
                : Optional.of(BOOT + ":" + stat.started());
    }

    /** True if the process carries a mark of a run; false where marks cannot be read. */
    public static boolean isOfRun(long pid) {
        var stat = ProcessTable.isPossible() ? ProcessInfo.stat(pid) : null;
        return stat != null && ProcessInfo.of(pid, stat).isMarked();
    }

    private static String boot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException _) {
            return "boot";
        }
    }
}
