package dev.coppice.house;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The markup in the templates of a script, and its faults. The page's reader of templates accepts a
 * tag that is not closed, or that another one closes, and shows something else; a tag's name must
 * not be a value, because values come from agents.
 */
final class Templates {
    private static final char VALUE = '\0';

    private static final Pattern TAG =
            Pattern.compile("<(/?)([^\\s/>\"'=]*)((?:\"[^\"]*\"|'[^']*'|[^\"'>])*?)(/?)>");

    /** Before a slash, these make it the begin of a regular expression. */
    private static final String BEFORE_EXPRESSION = "(,=:[!&|?{};\n>";

    private final String script;
    private final List<String> markups = new ArrayList<>();
    private int at;

    private Templates(String script) {
        this.script = script;
    }

    /** The markup of each template of a script, with a zero character for each value. */
    static List<String> in(String script) {
        var read = new Templates(script);
        read.code('\0');
        return read.markups;
    }

    /** The faults of a markup; none if each tag is closed by its own end. */
    static List<String> faults(String markup) {
        var faults = new ArrayList<String>();
        Deque<String> open = new ArrayDeque<>();
        TAG.matcher(markup)
                .results()
                .forEach(tag -> {
                    var name = tag.group(2);
                    if (!name.matches("[a-z][a-z0-9]*")) faults.add("no name: " + tag.group());
                    if (!tag.group(1).isEmpty()) {
                        var begun = open.isEmpty() ? "nothing" : open.pop();
                        if (!begun.equals(name)) faults.add(tag.group() + " closes " + begun);
                    } else if (tag.group(4).isEmpty()) {
                        open.push(name);
                    }
                });
        open.forEach(name -> faults.add("<" + name + "> is not closed"));
        if (TAG.matcher(markup).replaceAll("").contains("<")) faults.add("< begins no tag");
        return faults;
    }

    /** Reads code until the brace that ends it, or to the end of the script. */
    private void code(char end) {
        int depth = 0;
        while (at < script.length()) {
            char c = script.charAt(at);
            if (c == '"' || c == '\'') {
                quoted(c);
            } else if (c == '`') {
                template(script.startsWith("html", at - 4));
            } else if (script.startsWith("//", at)) {
                at = script.indexOf('\n', at);
            } else if (script.startsWith("/*", at)) {
                at = script.indexOf("*/", at) + 2;
            } else if (c == '/' && beginsExpression()) {
                expression();
            } else if (c == end && depth == 0) {
                return;
            } else {
                if (c == '{') depth++;
                if (c == '}') depth--;
                at++;
            }
        }
    }

    private void quoted(char quote) {
        for (at++; script.charAt(at) != quote; at++) {
            if (script.charAt(at) == '\\') at++;
        }
        at++;
    }

    private void template(boolean isMarkup) {
        var markup = new StringBuilder();
        for (at++; script.charAt(at) != '`'; at++) {
            if (script.startsWith("${", at)) {
                at += 2;
                code('}');
                markup.append(VALUE);
            } else {
                if (script.charAt(at) == '\\') at++;
                markup.append(script.charAt(at));
            }
        }
        at++;
        if (isMarkup) markups.add(markup.toString());
    }

    private boolean beginsExpression() {
        int before = at - 1;
        while (before > 0 && script.charAt(before) == ' ') before--;
        return BEFORE_EXPRESSION.indexOf(script.charAt(before)) >= 0;
    }

    private void expression() {
        boolean isClass = false;
        for (at++; isClass || script.charAt(at) != '/'; at++) {
            switch (script.charAt(at)) {
                case '[' -> isClass = true;
                case ']' -> isClass = false;
                case '\\' -> at++;
                default -> {
                    // Every other character stands for itself.
                }
            }
        }
        at++;
    }
}
