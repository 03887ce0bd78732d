package dev.coppice.http;

import java.util.List;
import java.util.Random;

/** Breaks text at random, as a hostile or faulty sender does. */
final class BrokenText {
    private static final int DEPTH = 2_000;

    /** Pieces that parsers stumble over. */
    private static final List<String> EVIL =
            List.of(
                    "\u0000",
                    "\\u0000",
                    "\\ud800",
                    "\"",
                    "\\",
                    "}",
                    "[[[[[[",
                    "null",
                    "-1e999",
                    "99999999999999999999",
                    "\n",
                    "\r\n",
                    "\u2028",
                    "${results.a}",
                    "' OR 1=1 --",
                    "*",
                    "\"session_id\":[],",
                    "\"agent_id\":{\"a\":1},",
                    "\"timestamp\":-5,",
                    "\"timestamp\":\"soon\",",
                    "\"tool_response\":{\"agentId\":[]},",
                    "\"hook_event_type\":\"" + "x".repeat(300) + "\",",
                    "[".repeat(DEPTH),
                    "{\"a\":".repeat(DEPTH));

    private BrokenText() {}

    /** The text with some pieces removed, repeated or replaced by what parsers stumble over. */
    static String of(String text, Random random) {
        var broken = new StringBuilder(text);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(broken.length() + 1);
            int end = Math.min(broken.length(), at + random.nextInt(40));
            switch (random.nextInt(4)) {
                case 0 -> broken.delete(at, end);
                case 1 -> broken.insert(at, EVIL.get(random.nextInt(EVIL.size())));
                case 2 -> broken.insert(at, broken.substring(at, end));
                default -> broken.insert(at, (char) random.nextInt(0xD800));
            }
        }
        return broken.toString();
    }
}
