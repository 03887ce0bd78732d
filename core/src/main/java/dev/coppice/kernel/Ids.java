package dev.coppice.kernel;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** A source of random ids: seeded in tests, the system's randomness otherwise. */
public interface Ids {
    String twelveHex();

    static Ids from(RandomGenerator random) {
        return () -> HexFormat.of().toHexDigits(random.nextLong(), 12);
    }
}
