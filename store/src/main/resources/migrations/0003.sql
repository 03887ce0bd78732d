-- 0003_tokens
-- frozen: sqlite bd01277fd765b7e4, postgres 14d4a42ca075e93a
--
-- Tokens that people asked for. A token is signed, so it is not stored. One that is confined to a session
-- goes with the session, and no backup has it.

-- section: up

create table token (
    id text not null primary key,
    role text not null constraint token_role check (role in ('operator', 'viewer', 'runner', 'ingest')),
    session integer references any_session (key) on delete cascade,
    label text,
    made_at integer not null,
    until_at integer
);
create index token_session on token (session) where session is not null;

-- section: down

drop table token;

-- section: losses

select count(*), 'tokens, which are no longer valid' from token;
