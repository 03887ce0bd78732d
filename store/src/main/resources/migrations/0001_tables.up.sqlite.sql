-- Counts the bytes of each tree. A row that is inserted, deleted or changed changes the sum of its tree.
create trigger event_counted after insert on event begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, octet_length(new.body), 0, 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger event_discounted after delete on event begin
    insert into tree_bytes (tree, events, metadata, output)
    values (old.tree, -octet_length(old.body), 0, 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger session_counted after insert on any_session begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.metadata), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger session_recounted after update of metadata on any_session
when new.metadata <> old.metadata begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.metadata) - octet_length(old.metadata), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger session_discounted after delete on any_session begin
    insert into tree_bytes (tree, events, metadata, output)
    values (old.tree, 0, -octet_length(old.metadata), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger run_counted after insert on run begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.parameters) + coalesce(octet_length(new.result_text), 0)
        + coalesce(octet_length(new.result_data), 0), coalesce(new.output_bytes, 0))
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger run_recounted after update of result_text, result_data, output_bytes on run
when new.result_text is not old.result_text or new.result_data is not old.result_data
    or new.output_bytes is not old.output_bytes begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0,
        coalesce(octet_length(new.result_text), 0) - coalesce(octet_length(old.result_text), 0)
        + coalesce(octet_length(new.result_data), 0) - coalesce(octet_length(old.result_data), 0),
        coalesce(new.output_bytes, 0) - coalesce(old.output_bytes, 0))
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger run_discounted after delete on run begin
    insert into tree_bytes (tree, events, metadata, output)
    values (old.tree, 0, -(octet_length(old.parameters) + coalesce(octet_length(old.result_text), 0)
        + coalesce(octet_length(old.result_data), 0)), -coalesce(old.output_bytes, 0))
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger callback_counted after insert on callback
when new.body is not null begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.body), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger callback_discounted after delete on callback
when old.body is not null begin
    insert into tree_bytes (tree, events, metadata, output)
    values (old.tree, 0, -octet_length(old.body), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger tree_emptied after update on tree_bytes
when new.events = 0 and new.metadata = 0 and new.output = 0 begin
    delete from tree_bytes where tree = new.tree; end;
create trigger audit_fixed before update on audit begin select raise(abort, 'the audit is only appended to'); end;
create trigger audit_kept before delete on audit begin select raise(abort, 'the audit is only appended to'); end;
