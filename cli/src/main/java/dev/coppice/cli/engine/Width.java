package dev.coppice.cli.engine;

/** The columns that text takes on a terminal: wide characters take two, combining marks none. */
public final class Width {
    /** The first and the last character of each range. */
    private static final int[] WIDE = {
        0x1100, 0x115f, 0x231a, 0x231b, 0x23e9, 0x23ec, 0x23f0, 0x23f0,
        0x23f3, 0x23f3, 0x25fd, 0x25fe, 0x2614, 0x2615, 0x2648, 0x2653,
        0x267f, 0x267f, 0x2693, 0x2693, 0x26a1, 0x26a1, 0x26aa, 0x26ab,
        0x26bd, 0x26be, 0x26c4, 0x26c5, 0x26ce, 0x26ce, 0x26d4, 0x26d4,
        0x26ea, 0x26ea, 0x26f2, 0x26f3, 0x26f5, 0x26f5, 0x26fa, 0x26fa,
        0x26fd, 0x26fd, 0x2705, 0x2705, 0x270a, 0x270b, 0x2728, 0x2728,
        0x274c, 0x274c, 0x274e, 0x274e, 0x2753, 0x2755, 0x2757, 0x2757,
        0x2795, 0x2797, 0x27b0, 0x27b0, 0x27bf, 0x27bf, 0x2b1b, 0x2b1c,
        0x2b50, 0x2b50, 0x2b55, 0x2b55, 0x2e80, 0x303e, 0x3041, 0xa4cf,
        0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6f, 0xff00, 0xff60,
        0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f680, 0x1faff, 0x20000, 0x3fffd
    };

    private Width() {}

    public static int of(String text) {
        return text.codePoints().map(Width::of).sum();
    }

    private static int of(int character) {
        int type = Character.getType(character);
        boolean isCombining =
                type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
        if (isCombining) return 0;
        for (int i = 0; i < WIDE.length; i += 2) {
            if (character >= WIDE[i] && character <= WIDE[i + 1]) return 2;
        }
        return 1;
    }

    /** Cuts the text to this many columns, with an ellipsis for the rest. */
    public static String cut(String text, int columns) {
        if (of(text) <= columns) return text;
        int taken = 0;
        var cut = new StringBuilder();
        for (int character : text.codePoints().toArray()) {
            if (taken + of(character) > columns - 1) break;
            taken += of(character);
            cut.appendCodePoint(character);
        }
        return columns < 1 ? "" : cut.append('…').toString();
    }

    /** The text, with spaces up to this many columns. */
    public static String padded(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - of(text)));
    }
}
