-- More limits of a session.
alter table any_session add column event_bytes_max integer;
alter table any_session add column metadata_bytes_max integer;
alter table any_session add column output_bytes_max integer;
alter table any_session add column processes_max integer;
alter table any_session add column memory_bytes_max integer;
-- What its runner keeps of what it printed; nothing while none has said.
alter table run add column output_bytes integer;

-- How many bytes are stored of each tree. Only the triggers below write to it, so whatever inserts
-- or deletes is counted.
create table tree_bytes (
    tree integer primary key,
    events integer not null default 0,
    metadata integer not null default 0,
    output integer not null default 0
);
insert into tree_bytes (tree, events, metadata, output)
select tree, sum(events), sum(metadata), 0 from (
    select tree, octet_length(body) as events, 0 as metadata from event
    union all select tree, 0, octet_length(metadata) from any_session
    union all select tree, 0, octet_length(parameters) + coalesce(octet_length(result_text), 0)
        + coalesce(octet_length(result_data), 0) from run
    union all select tree, 0, coalesce(octet_length(body), 0) from callback) stored
group by tree;

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
