-- Who did what to whom. Numbers have no gaps; each record holds the hash of the one before. What it
-- is about may go, and the record stays.
create table audit (
    number bigint primary key,
    at bigint not null,
    who text not null,
    who_right text not null,
    act text not null,
    session_id text collate "C",
    session_name text,
    removal_id text,
    detail text,
    allowed bigint not null check (allowed in (0, 1)),
    reason text,
    before_digest text,
    after_digest text,
    previous text not null,
    hash text not null unique
);
create index audit_session on audit (session_id, number);
create function audit_is_appended() returns trigger language plpgsql as $$ begin raise exception 'the audit is only appended to'; end $$;
create trigger audit_kept before update or delete on audit for each row execute function audit_is_appended();
create trigger audit_whole before truncate on audit for each statement execute function audit_is_appended();
