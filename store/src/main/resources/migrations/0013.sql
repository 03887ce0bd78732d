-- 0013_joined_runners
-- frozen: sqlite b27525c8d4433fd5, postgres 357593aeb3f73d1e
--
-- A runner on another machine joins with an invitation, and gets a token that is confined to it.

-- section: up

alter table token rename to token_before;
create table token (
    id text not null primary key,
    role text not null constraint token_role check (role in ('operator', 'viewer', 'runner', 'ingest')),
    session integer references any_session (key) on delete cascade,
    label text,
    made_at integer not null,
    until_at integer,
    -- Empty for a token that was made with one without a record, such as that of the data directory.
    maker text references token (id) on delete cascade,
    origin text not null constraint token_origin check (origin in ('created', 'signed_in', 'joined')),
    -- The name of the hooks that have the token, which confines it to the sessions that they told of first.
    source text,
    -- The runner that registered with the token first, which confines it to that runner.
    runner text,
    constraint token_source_reports check (source is null or role = 'ingest'),
    constraint token_runner_joined check (runner is null or origin = 'joined')
);
insert into token (id, role, session, label, made_at, until_at, maker, origin, source)
select id, role, session, label, made_at, until_at, maker, origin, source from token_before;
drop table token_before;
create index token_session on token (session) where session is not null;
create index token_maker on token (maker) where maker is not null;

-- section: losses

select count(*), 'tokens of runners that joined' from token where origin = 'joined';

-- section: down

alter table token rename to token_after;
create table token (
    id text not null primary key,
    role text not null constraint token_role check (role in ('operator', 'viewer', 'runner', 'ingest')),
    session integer references any_session (key) on delete cascade,
    label text,
    made_at integer not null,
    until_at integer,
    -- Empty for a token that was made with one without a record, such as that of the data directory.
    maker text references token (id) on delete cascade,
    origin text not null constraint token_origin check (origin in ('created', 'signed_in')),
    -- The name of the hooks that have the token, which confines it to the sessions that they told of first.
    source text,
    constraint token_source_reports check (source is null or role = 'ingest')
);
insert into token (id, role, session, label, made_at, until_at, maker, origin, source)
select id, role, session, label, made_at, until_at, maker, origin, source from token_after where origin <> 'joined';
drop table token_after;
create index token_session on token (session) where session is not null;
create index token_maker on token (maker) where maker is not null;
