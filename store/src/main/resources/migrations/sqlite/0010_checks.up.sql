-- Runners also say what runs in sessions, look for refs that nothing remembers, and let go of what was
-- kept for a removal that did not come to be. SQLite cannot change a check, so the tables are made anew.
create table errand_anew (
    key integer primary key autoincrement,
    removal integer references removal (key) on delete cascade,
    kind text not null check (kind in ('look', 'keep', 'tidy', 'wipe', 'copy', 'check', 'release')),
    host text not null,
    ignored text not null,
    directories text not null,
    at integer not null,
    asked_at integer not null,
    runner text,
    taken_at integer,
    ended_at integer,
    failure text,
    given_up integer not null default 0
);
create table errand_place_anew (
    errand integer not null references errand_anew (key) on delete cascade,
    place integer not null,
    workplace integer not null,
    directory text not null,
    made text not null,
    session_id text not null,
    session_name text not null,
    outputs text not null,
    primary key (errand, place)
);
create table errand_run_anew (
    errand integer not null references errand_anew (key) on delete cascade,
    place integer not null,
    run_id text not null,
    primary key (errand, place)
);
create table work_item_anew (
    key integer primary key autoincrement,
    errand integer not null references errand_anew (key) on delete cascade,
    host text not null,
    directory text not null,
    kind text not null check (kind in ('git', 'plain', 'output', 'processes', 'refs')),
    sessions text not null,
    uncommitted integer not null,
    untracked integer not null,
    stashed integer not null,
    unpushed integer not null,
    ignored integer not null,
    bytes integer not null,
    processes integer not null default 0,
    fingerprint text not null,
    tip text,
    branch text,
    kept_ref text,
    kept_file text,
    kept_sha256 text,
    kept_size integer,
    busy text not null,
    notes text not null
);
insert into errand_anew select * from errand;
insert into errand_place_anew select * from errand_place;
insert into errand_run_anew select * from errand_run;
insert into work_item_anew (key, errand, host, directory, kind, sessions, uncommitted, untracked, stashed, unpushed, ignored, bytes, fingerprint, tip, branch, kept_ref, kept_file, kept_sha256, kept_size, busy, notes)
select key, errand, host, directory, kind, sessions, uncommitted, untracked, stashed, unpushed, ignored, bytes, fingerprint, tip, branch, kept_ref, kept_file, kept_sha256, kept_size, busy, notes from work_item;
drop table work_item;
drop table errand_run;
drop table errand_place;
drop table errand;
alter table errand_anew rename to errand;
alter table errand_place_anew rename to errand_place;
alter table errand_run_anew rename to errand_run;
alter table work_item_anew rename to work_item;
create index errand_open on errand (host, key) where ended_at is null;
create index errand_removal on errand (removal, kind, key);
create index errand_look on errand (asked_at) where kind in ('look', 'check');
create index work_item_errand on work_item (errand, key);

-- A child that was detached is that row, and nobody who is given its id later.
alter table removal_detached add column session integer references any_session (key) on delete set null;
update removal_detached set session = (select s.key from any_session s where s.id = removal_detached.session_id);
-- Limits and budget that were its own before.
alter table removal_detached add column own text;
create index removal_detached_session on removal_detached (session);
