-- What becomes of a session when its parent ends.
alter table session add column on_parent_end text not null default 'keep' check (on_parent_end in ('stop', 'keep', 'abandon', 'ask'));
-- Since when nothing wakes it until someone resumes it.
alter table session add column quiet_at integer;
-- Since when nothing may be born or begin in its tree.
alter table session add column fenced_at integer;
-- Since when its processes are suspended and its queued work is held.
alter table session add column frozen_at integer;
-- Since when it goes on without its parent, as was wished.
alter table session add column abandoned_at integer;

create table tree_stop (
    key integer primary key autoincrement,
    id text not null unique,
    session integer not null references session (key) on delete cascade,
    root integer not null,
    deadline_ms integer not null,
    reason text not null,
    began_at integer not null,
    ended_at integer
);
create index tree_stop_open on tree_stop (root) where ended_at is null;
create index tree_stop_session on tree_stop (session);

create table tree_stop_member (
    tree_stop integer not null references tree_stop (key) on delete cascade,
    session integer not null references session (key) on delete cascade,
    primary key (tree_stop, session)
);
create index tree_stop_member_session on tree_stop_member (session);
