package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;
import dev.coppice.wire.event.Saying;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps what a dialect tells the coordinator and writes to its program. */
final class Heard implements Upstream, Pen {
    final List<String> events = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    final Map<String, String> began = new LinkedHashMap<>();
    final Map<String, Ending> ended = new LinkedHashMap<>();
    final List<Map<String, ?>> written = new ArrayList<>();
    final List<String> sessions = new ArrayList<>();
    long read;
    long wrote;
    BigDecimal dollars = BigDecimal.ZERO;
    String result = "";
    boolean isClosed;

    long count(String type) {
        return events.stream().filter(event -> event.contains(" " + type + " ")).count();
    }

    @Override
    public void event(String agent, String type, Map<String, ?> fields) {
        events.add(agent + " " + type + " " + fields);
        Saying.of(type, Json.tree(fields))
                .ifPresent(said -> told.add(said.kind() + " " + said.text()));
    }

    @Override
    public void programSession(String id) {
        sessions.add(id);
    }

    @Override
    public void spent(String agent, Spent spent) {
        read += spent.inputTokens();
        wrote += spent.outputTokens();
        dollars = dollars.add(spent.dollars());
    }

    @Override
    public void began(String agent, Subagent subagent) {
        if (began.put(subagent.id(), agent) != null) throw new AssertionError("began twice");
    }

    @Override
    public void ended(String agent, Ending ending, String said) {
        if (!began.containsKey(agent)) throw new AssertionError(agent + " ended, and never began");
        if (ended.put(agent, ending) != null) throw new AssertionError(agent + " ended twice");
    }

    @Override
    public void result(String text) {
        result = text;
    }

    @Override
    public void write(Map<String, ?> message) {
        if (isClosed) throw new AssertionError("written after the end: " + message);
        written.add(message);
    }

    @Override
    public void text(String text) {
        written.add(Map.of("text", text));
    }

    @Override
    public void terminate() {
        isClosed = true;
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
