drop index callback_orphaned;
create table event_anew (
    number integer primary key autoincrement,
    session integer not null references any_session (key) on delete cascade,
    tree integer not null,
    run text,
    type text not null,
    at integer not null,
    body text not null
);
insert into event_anew (number, session, tree, run, type, at, body)
select number, session, tree, run, type, at, body from event where session is not null;
delete from sqlite_sequence where name = 'event_anew';
insert into sqlite_sequence (name, seq) select 'event_anew', seq from sqlite_sequence where name = 'event';
drop table event;
alter table event_anew rename to event;
create index event_session on event (session, number);
create index event_tree on event (tree, number);
drop view session;
drop index session_lent;
drop index session_removal;
drop table removal_detached;
drop table removal_member;
drop table removal;
alter table any_session drop column lent_name;
alter table any_session drop column removal;
alter table any_session rename to session;
