package dev.coppice.wire;

import java.util.Locale;

/** Compares words that people mistype. */
public final class Spelling {
    private Spelling() {}

    /** True if the typed text begins the word, or is probably a misspelling of it. */
    public static boolean isNear(String typed, String word) {
        if (typed.length() > 1 && word.startsWith(typed)) return true;
        int longest = Math.max(typed.length(), word.length());
        return distance(typed, word) <= (longest < 5 ? 1 : longest < 9 ? 2 : 3);
    }

    /** The number of letters to insert, delete, replace or swap, whatever their case. */
    public static int distance(String typed, String word) {
        var a = typed.toLowerCase(Locale.ROOT);
        var b = word.toLowerCase(Locale.ROOT);
        var cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int step(int[][] cost, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        best = Math.min(best, cost[i - 1][j - 1] + (same ? 0 : 1));
        boolean isSwapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return isSwapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
