-- 0007_events_and_pairs
-- frozen: sqlite 313362f28dae982e, postgres 760543ae945a83d3
--
-- A pair keeps what was declared of it while its child is detached, and the pair of a continuation and its parent says
-- what it is. Calls for subagents are remembered until one begins.
--
-- One index fewer on events. An index that is ordered by session costs a page for each stored event, and there were two:
-- by the key of the session and by its id. The reference to the session needed the first; a trigger takes its place.

-- section: up

-- `session_id` is the id of `session`: null without one, so that the index by id finds the events of a session.
update event set session_id = null where session is null;
drop index event_session;

update relationship set type = 'continuation', reason = 'continuation' where evidence is null and type = 'parent/child'
and child_id in (select c.id from any_session c where c.type = 'continuation');

-- The calls of a session's agents for others, and the agent that answered each: by a guess, or as the answer said.
create table spawn_call (
    key integer primary key autoincrement,
    session integer not null references any_session (key) on delete cascade,
    call text not null,
    caller text not null,
    type text not null,
    at integer not null,
    agent text,
    is_answered integer not null default 0 constraint spawn_call_is_answered check (is_answered in (0, 1)),
    constraint spawn_call_once unique (session, call)
);
create index spawn_call_at on spawn_call (session, at);
create index spawn_call_agent on spawn_call (session, agent);

-- section: up sqlite

-- SQLite takes a reference out of a table without copying it only in the text of the schema.
pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, 'session integer references any_session (key) on delete cascade', 'session integer')
where type = 'table' and name = 'event';
pragma writable_schema = reset;
create trigger events_gone after delete on any_session begin delete from event where session_id = old.id; end;

drop trigger relationship_born;
create trigger relationship_born after insert on any_session when new.parent is not null begin
    insert into relationship (parent_id, child_id, type, reason, created_at)
    select p.id, new.id, case new.type when 'continuation' then 'continuation' else 'parent/child' end,
        case new.type when 'continuation' then 'continuation' end, new.created_at
    from any_session p where p.key = new.parent; end;
drop trigger relationship_moved;
create trigger relationship_moved after update of parent on any_session when new.parent is not old.parent begin
    update relationship set set_aside = 1
    where child_id = new.id and parent_id = (select p.id from any_session p where p.key = old.parent); insert into relationship (
        parent_id, child_id, type, created_at)
    select p.id, new.id, 'parent/child', new.created_at from any_session p where p.key = new.parent
    on conflict (parent_id, child_id) do update set
        type = case set_aside when 1 then type else excluded.type end, set_aside = 0; end;

-- section: up postgres

alter table event drop constraint event_session_fkey;
create function events_gone() returns trigger language plpgsql as $$ begin
    delete from event where session_id = old.id; return null; end $$;
create trigger events_gone after delete on any_session for each row execute function events_gone();

create or replace function relate_parent(of_child bigint) returns void language sql as $$
    insert into relationship as r (parent_id, child_id, type, created_at)
    select p.id, c.id, 'parent/child', c.created_at
    from any_session c join any_session p on p.key = c.parent where c.key = of_child
    on conflict (parent_id, child_id) do update set
        type = case r.set_aside when 1 then r.type else excluded.type end, set_aside = 0 $$;
create or replace function relationship_born() returns trigger language plpgsql as $$ begin
    perform relate_parent(new.key); update relationship set type = 'continuation', reason = 'continuation'
    where new.type = 'continuation' and child_id = new.id and evidence is null; return null; end $$;
create or replace function relationship_moved() returns trigger language plpgsql as $$ begin
    update relationship set set_aside = 1
    where child_id = new.id and parent_id = (select p.id from any_session p where p.key = old.parent); perform
    relate_parent(new.key); return null; end $$;

-- section: down

-- The triggers of pairs suit the version before this step too.
drop table spawn_call;
create index event_session on event (session, number);
update event set session_id = gone_id where session is null;

-- section: down sqlite

drop trigger events_gone;
pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, 'session integer,', 'session integer references any_session (key) on delete cascade,')
where type = 'table' and name = 'event';
pragma writable_schema = reset;

-- section: down postgres

drop trigger events_gone on any_session;
drop function events_gone();
alter table event add constraint event_session_fkey foreign key (session) references any_session (key) on delete cascade;

-- section: losses

select count(*), 'calls for subagents that have not begun' from spawn_call where agent is null and is_answered = 0;
