package dev.coppice.runner.drive;

import dev.coppice.runner.drive.dialect.Pen;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/** The pen of a program that is started after the dialect that writes with it. */
final class LatePen implements Pen {
    private @Nullable Pen pen;

    void of(Pen real) {
        this.pen = real;
    }

    @Override
    public void write(Map<String, ?> message) {
        if (pen != null) pen.write(message);
    }

    @Override
    public void text(String text) {
        if (pen != null) pen.text(text);
    }

    @Override
    public void terminate() {
        if (pen != null) pen.terminate();
    }

    @Override
    public void close() {
        if (pen != null) pen.close();
    }
}
