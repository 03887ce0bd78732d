package dev.coppice.cli.engine;

/** The columns that text takes on a terminal: wide characters take two, combining marks none. */
public final class Width {
    private static final int[][] WIDE = {
        {0x1100, 0x115f},
        {0x2e80, 0x303e},
        {0x3041, 0xa4cf},
        {0xac00, 0xd7a3},
        {0xf900, 0xfaff},
        {0xfe30, 0xfe6f},
        {0xff00, 0xff60},
        {0xffe0, 0xffe6},
        {0x1f300, 0x1f64f},
        {0x1f680, 0x1faff},
        {0x20000, 0x3fffd}
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
        for (var range : WIDE) if (character >= range[0] && character <= range[1]) return 2;
        return 1;
    }

    /** The text, cut to this many columns; an ellipsis tells that it goes on. */
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
