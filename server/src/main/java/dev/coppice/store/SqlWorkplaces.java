package dev.coppice.store;

import dev.coppice.work.Workplace;
import dev.coppice.work.Workplaces;

import java.util.Locale;

/** Where sessions have worked, as the database knows it. */
final class SqlWorkplaces implements Workplaces {
    private static final Sql NOTE =
            Sql.of(
                    """
                    insert into workplace (session, host, directory, made, outputs)
                    select s.key, :host, :directory, :made, :outputs from session s
                    where s.id = :session
                    on conflict (session, host, directory, outputs) do nothing
                    """);

    @Override
    public void note(Workplace place) {
        Tx.call(NOTE)
                .set("session", place.session().value())
                .set("host", place.host())
                .set("directory", place.directory())
                .set("made", place.made().name().toLowerCase(Locale.ROOT))
                .set("outputs", place.outputs())
                .update();
    }
}
