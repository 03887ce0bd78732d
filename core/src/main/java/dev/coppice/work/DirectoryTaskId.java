package dev.coppice.work;

public record DirectoryTaskId(String value) {
    private static final String PREFIX = "task_";

    public static DirectoryTaskId of(long key) {
        return new DirectoryTaskId(PREFIX + key);
    }

    /** The key of the task, or -1 if the text is no id of a task. */
    public long key() {
        try {
            return value.startsWith(PREFIX)
                    ? Long.parseLong(value, PREFIX.length(), value.length(), 10)
                    : -1;
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
