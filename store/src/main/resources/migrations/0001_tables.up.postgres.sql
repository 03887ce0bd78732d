-- Counts the bytes of each tree. Only one transaction writes at a time, so a row that is not found can be inserted.
create function count_bytes(of_tree bigint, more_events bigint, more_metadata bigint, more_output bigint)
returns void language plpgsql as $$ begin
    update tree_bytes set events = events + more_events, metadata = metadata + more_metadata,
        output = output + more_output where tree = of_tree; if not found then
        insert into tree_bytes (tree, events, metadata, output)
        values (of_tree, more_events, more_metadata, more_output); end if; end $$;
create function bytes_of(r run) returns bigint language sql immutable as $$
    select octet_length(r.parameters) + coalesce(octet_length(r.result_text), 0)
        + coalesce(octet_length(r.result_data), 0) $$;

-- Rows are inserted one by one, and deleted by the thousand.
create function event_counted() returns trigger language plpgsql as $$ begin
    perform count_bytes(new.tree, octet_length(new.body), 0, 0); return null; end $$;
create trigger event_counted after insert on event for each row execute function event_counted();
create function event_discounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(tree, -sum(octet_length(body)), 0, 0) from gone group by tree; return null; end $$;
create trigger event_discounted after delete on event referencing old table as gone
for each statement execute function event_discounted();
create function session_counted() returns trigger language plpgsql as $$ begin
    perform count_bytes(new.tree, 0, octet_length(new.metadata), 0); return null; end $$;
create trigger session_counted after insert on any_session for each row execute function session_counted();
create function session_recounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(
        new.tree, 0, octet_length(new.metadata) - octet_length(old.metadata), 0); return null; end $$;
create trigger session_recounted after update of metadata on any_session for each row
when (new.metadata <> old.metadata) execute function session_recounted();
create function session_discounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(tree, 0, -sum(octet_length(metadata)), 0) from gone group by tree; return null; end $$;
create trigger session_discounted after delete on any_session referencing old table as gone
for each statement execute function session_discounted();
create function run_counted() returns trigger language plpgsql as $$ begin
    perform count_bytes(new.tree, 0, bytes_of(new), coalesce(new.output_bytes, 0)); return null; end $$;
create trigger run_counted after insert on run for each row execute function run_counted();
create function run_recounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(
        new.tree, 0, bytes_of(new) - bytes_of(old),
        coalesce(new.output_bytes, 0) - coalesce(old.output_bytes, 0)); return null; end $$;
create trigger run_recounted after update of result_text, result_data, output_bytes on run for each row
when (
    new.result_text is distinct from old.result_text
    or new.result_data is distinct from old.result_data
    or new.output_bytes is distinct from old.output_bytes) execute function run_recounted();
create function run_discounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(
        tree, 0, -sum(octet_length(parameters) + coalesce(octet_length(result_text), 0)
            + coalesce(octet_length(result_data), 0)), -sum(coalesce(output_bytes, 0))::bigint)
    from gone group by tree; return null; end $$;
create trigger run_discounted after delete on run referencing old table as gone
for each statement execute function run_discounted();
create function callback_counted() returns trigger language plpgsql as $$ begin
    perform count_bytes(new.tree, 0, octet_length(new.body), 0); return null; end $$;
create trigger callback_counted after insert on callback for each row
when (new.body is not null) execute function callback_counted();
create function callback_discounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(tree, 0, -sum(coalesce(octet_length(body), 0)), 0) from gone group by tree; return null; end $$;
create trigger callback_discounted after delete on callback referencing old table as gone
for each statement execute function callback_discounted();
create function tree_emptied() returns trigger language plpgsql as $$ begin
    delete from tree_bytes where tree = new.tree; return null; end $$;
create trigger tree_emptied after update on tree_bytes for each row
when (new.events = 0 and new.metadata = 0 and new.output = 0) execute function tree_emptied();

create function audit_is_appended() returns trigger language plpgsql as $$ begin raise exception 'the audit is only appended to'; end $$;
create trigger audit_fixed before update or delete on audit for each row execute function audit_is_appended();
create trigger audit_whole before truncate on audit for each statement execute function audit_is_appended();

-- Rows that change often leave room on their page, so that an update needs no new index entry.
alter table any_session set (fillfactor = 80);
alter table run set (fillfactor = 70);
alter table runner set (fillfactor = 50);
alter table task set (fillfactor = 80);
alter table removal set (fillfactor = 80);
