-- What a session and all below it may spend together.
create table budget (
    session integer primary key references session (key) on delete cascade,
    tokens_max integer,
    cost_micros_max integer,
    wall_millis_max integer,
    runs_max integer,
    sessions_max integer,
    policy text not null check (policy in ('refuse', 'freeze', 'stop')),
    warned text not null check (warned in ('no', 'nearly', 'spent'))
);
create index budget_wall on budget (session) where wall_millis_max is not null and warned <> 'spent';

-- What was spent by the session itself, and by it and all below it.
create table spent (
    session integer primary key references session (key) on delete cascade,
    own_tokens integer not null,
    own_cost_micros integer not null,
    own_wall_millis integer not null,
    tokens integer not null,
    cost_micros integer not null,
    wall_millis integer not null
);
