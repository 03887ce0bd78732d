package dev.coppice.web;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Asks now and then whether a long answer may go on: its token may be revoked meanwhile. */
final class CheckedOutput extends FilterOutputStream {
    static final int UNCHECKED_BYTES_MAX = 128 * 1024;

    private final Permission permission;
    private long unchecked;

    /** Fails if the answer must end. */
    interface Permission {
        void check() throws IOException;
    }

    CheckedOutput(OutputStream out, Permission permission) {
        super(out);
        this.permission = permission;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (unchecked + length > UNCHECKED_BYTES_MAX) {
            permission.check();
            unchecked = 0;
        }
        unchecked += length;
        out.write(bytes, from, length);
    }
}
