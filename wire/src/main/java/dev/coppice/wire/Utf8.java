package dev.coppice.wire;

/** Text in UTF-8 that arrives in parts. */
public final class Utf8 {
    private Utf8() {}

    /** The number of bytes at the end that begin an incomplete character. */
    public static int incomplete(byte[] bytes, int length) {
        for (int back = 1; back <= Math.min(3, length); back++) {
            int b = bytes[length - back] & 0xff;
            if (b < 0x80) return 0;
            if (b < 0xc0) continue;
            int needed = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
            return back < needed ? back : 0;
        }
        return 0;
    }

    /** The number of bytes at the beginning that continue an earlier character. */
    public static int continued(byte[] bytes, int length) {
        int at = 0;
        while (at < Math.min(3, length) && (bytes[at] & 0xc0) == 0x80) at++;
        return at;
    }
}
