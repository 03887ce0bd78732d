package dev.coppice.kernel;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Where new names come from; a seed in tests, the system's randomness otherwise. */
public interface Ids {
    String twelveHex();

    static Ids from(RandomGenerator random) {
        return () -> HexFormat.of().toHexDigits(random.nextLong(), 12);
    }
}
