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
     * Returns an identity that a reused process id does not share: the boot and the start in ticks,
     * which no clock change affects; without /proc, the start time. Empty if the process is dead.
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
