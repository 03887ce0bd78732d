package dev.coppice.meter;

import dev.coppice.usage.Prices;
import dev.coppice.usage.TokenCounts;
import dev.coppice.wire.Json;
import dev.coppice.wire.look.UsageCalls.PriceView;
import dev.coppice.wire.look.UsageCalls.PricesView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Prices in dollars for a million tokens: those of a person's file, then those that come with
 * Coppice. The first match counts. A file that cannot be read is reported and changes nothing.
 */
public final class PriceFile implements Prices {
    private static final System.Logger LOG = System.getLogger("prices");
    private static final int BYTES_MAX = 1024 * 1024;
    private static final FileTime NEVER = FileTime.fromMillis(0);

    private final Path file;
    private final List<Price> shipped;
    private List<Price> prices;
    private FileTime read = NEVER;

    public PriceFile(Path file) {
        this.file = file;
        this.shipped = of(Json.read(shipped()));
        this.prices = shipped;
        refresh();
    }

    private static String shipped() {
        try (var in = PriceFile.class.getResourceAsStream("prices.json")) {
            var bytes = Objects.requireNonNull(in, "prices.json").readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The prices of the models whose names match. */
    public record Price(String match, Rates rates, @Nullable Above above) {}

    /** Dollars for a million tokens. Kinds without a price cost as much as input. */
    public record Rates(
            BigDecimal input,
            BigDecimal output,
            @Nullable BigDecimal cacheRead,
            @Nullable BigDecimal cacheWrite,
            @Nullable BigDecimal cacheWriteHour) {
        BigDecimal of(TokenCounts tokens) {
            return input.multiply(BigDecimal.valueOf(tokens.input()))
                    .add(output.multiply(BigDecimal.valueOf(tokens.output())))
                    .add(or(cacheRead).multiply(BigDecimal.valueOf(tokens.cacheRead())))
                    .add(or(cacheWrite).multiply(BigDecimal.valueOf(tokens.cacheWrite())))
                    .add(or(cacheWriteHour).multiply(BigDecimal.valueOf(tokens.cacheWriteHour())));
        }

        private BigDecimal or(@Nullable BigDecimal own) {
            return own == null ? input : own;
        }
    }

    /** Other prices for a call with a prompt of more tokens than this. */
    public record Above(long promptTokens, Rates rates) {}

    @Override
    public synchronized @Nullable Long micros(String model, TokenCounts tokens) {
        for (var price : prices) {
            if (!matches(price.match(), model)) continue;
            var above = price.above();
            boolean isLong = above != null && tokens.prompt() > above.promptTokens();
            var rates = isLong && above != null ? above.rates() : price.rates();
            // Dollars for a million tokens are millionths of a dollar for one.
            return rates.of(tokens).setScale(0, RoundingMode.HALF_UP).longValue();
        }
        return null;
    }

    /** The name of a model may begin with that of its host, as in {@code anthropic/NAME}. */
    private static boolean matches(String match, String model) {
        var name = model.substring(model.lastIndexOf('/') + 1);
        return match.endsWith("*")
                ? name.startsWith(match.substring(0, match.length() - 1))
                : name.equals(match);
    }

    public synchronized PricesView view() {
        return new PricesView(file.toString(), prices.stream().map(PriceFile::view).toList());
    }

    private static PriceView view(Price price) {
        var rates = price.rates();
        var above = price.above();
        return new PriceView(
                price.match(),
                rates.input(),
                rates.output(),
                rates.cacheRead(),
                rates.cacheWrite(),
                rates.cacheWriteHour(),
                above == null ? null : above.promptTokens(),
                above == null ? null : above.rates().input(),
                above == null ? null : above.rates().output());
    }

    /** Reads the file if it has changed; true if the prices have changed. */
    public synchronized boolean refresh() {
        FileTime changed;
        try {
            changed = Files.getLastModifiedTime(file);
        } catch (NoSuchFileException _) {
            changed = NEVER;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot read " + file, e);
            return false;
        }
        if (changed.equals(read)) return false;
        read = changed;
        var before = prices;
        prices = changed.equals(NEVER) ? shipped : with(shipped);
        return !prices.equals(before);
    }

    private List<Price> with(List<Price> more) {
        try {
            if (Files.size(file) > BYTES_MAX) throw new IOException("it is larger than 1 MiB");
            var all = new ArrayList<>(of(Json.read(Files.readString(file))));
            all.addAll(more);
            return List.copyOf(all);
        } catch (IOException | RuntimeException e) {
            var why = "the prices of %s are not used: %s".formatted(file, e.getMessage());
            LOG.log(System.Logger.Level.WARNING, why);
            return prices;
        }
    }

    private static List<Price> of(JsonNode file) {
        var found = new ArrayList<Price>();
        for (var one : file.path("models")) {
            var above = one.path("above");
            found.add(
                    new Price(
                            one.path("match").asString(),
                            rates(one),
                            above.isObject()
                                    ? new Above(above.path("prompt_tokens").asLong(), rates(above))
                                    : null));
        }
        return List.copyOf(found);
    }

    private static Rates rates(JsonNode one) {
        var input = price(one, "input");
        var output = price(one, "output");
        if (input == null || output == null) {
            throw new IllegalArgumentException("each model needs match, input and output: " + one);
        }
        return new Rates(
                input,
                output,
                price(one, "cache_read"),
                price(one, "cache_write"),
                price(one, "cache_write_hour"));
    }

    private static @Nullable BigDecimal price(JsonNode one, String field) {
        var value = one.path(field);
        if (value.isMissingNode()) return null;
        if (!value.isNumber() || value.decimalValue().signum() < 0) {
            throw new IllegalArgumentException("%s is no price: %s".formatted(field, value));
        }
        return value.decimalValue();
    }
}
