-- What a session and all below it may spend together.
create table budget (
    session bigint primary key references session (key) on delete cascade,
    tokens_max bigint,
    cost_micros_max bigint,
    wall_millis_max bigint,
    runs_max bigint,
    sessions_max bigint,
    policy text not null check (policy in ('refuse', 'freeze', 'stop')),
    warned text not null check (warned in ('no', 'nearly', 'spent'))
);
create index budget_wall on budget (session) where wall_millis_max is not null and warned <> 'spent';

-- What was spent by the session itself, and by it and all below it.
create table spent (
    session bigint primary key references session (key) on delete cascade,
    own_tokens bigint not null,
    own_cost_micros bigint not null,
    own_wall_millis bigint not null,
    tokens bigint not null,
    cost_micros bigint not null,
    wall_millis bigint not null
);
