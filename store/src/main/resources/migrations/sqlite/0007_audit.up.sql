-- Who did what to whom. Numbers have no gaps; each record holds the hash of the one before. What it
-- is about may go, and the record stays.
create table audit (
    number integer primary key,
    at integer not null,
    who text not null,
    who_right text not null,
    act text not null,
    session_id text,
    session_name text,
    removal_id text,
    detail text,
    allowed integer not null check (allowed in (0, 1)),
    reason text,
    before_digest text,
    after_digest text,
    previous text not null,
    hash text not null unique
);
create index audit_session on audit (session_id, number);
create trigger audit_kept before delete on audit begin select raise(abort, 'the audit is only appended to'); end;
create trigger audit_fixed before update on audit begin select raise(abort, 'the audit is only appended to'); end;
