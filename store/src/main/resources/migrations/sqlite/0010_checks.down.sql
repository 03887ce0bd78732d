create table removal_detached_anew (
    removal integer not null references removal (key) on delete cascade,
    place integer not null,
    session_id text not null,
    primary key (removal, place)
);
insert into removal_detached_anew select removal, place, session_id from removal_detached;
drop table removal_detached;
alter table removal_detached_anew rename to removal_detached;
create table errand_anew (
    key integer primary key autoincrement,
    removal integer references removal (key) on delete cascade,
    kind text not null check (kind in ('look', 'keep', 'tidy', 'wipe')),
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
    kind text not null check (kind in ('git', 'plain', 'output')),
    sessions text not null,
    uncommitted integer not null,
    untracked integer not null,
    stashed integer not null,
    unpushed integer not null,
    ignored integer not null,
    bytes integer not null,
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
insert into errand_anew select * from errand where kind in ('look', 'keep', 'tidy', 'wipe');
insert into errand_place_anew select * from errand_place where errand in (select key from errand_anew);
insert into errand_run_anew select * from errand_run where errand in (select key from errand_anew);
insert into work_item_anew (key, errand, host, directory, kind, sessions, uncommitted, untracked, stashed, unpushed, ignored, bytes, fingerprint, tip, branch, kept_ref, kept_file, kept_sha256, kept_size, busy, notes)
select key, errand, host, directory, kind, sessions, uncommitted, untracked, stashed, unpushed, ignored, bytes, fingerprint, tip, branch, kept_ref, kept_file, kept_sha256, kept_size, busy, notes from work_item where kind in ('git', 'plain', 'output') and errand in (select key from errand_anew);
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
create index errand_look on errand (asked_at) where kind = 'look';
create index work_item_errand on work_item (errand, key);
