-- How long the run may be silent, since when that counts anew, and how old its session may grow.
alter table run add column silence_ms integer;
alter table run add column heard_at integer;
alter table run add column lifetime_ms integer;
-- Whose quota it uses, and how often its result was sent back.
alter table run add column account text;
alter table run add column corrections integer not null default 0;
create index run_silence on run (key) where silence_ms is not null and ended_at is null;
create index run_lifetime on run (key) where lifetime_ms is not null and ended_at is null;
create index run_account on run (account) where account is not null and ended_at is null;

-- An account that has met its limit, and until when nothing new is started on it.
create table account_hold (
    account text primary key,
    until_at integer not null,
    failures integer not null,
    reason text not null
);
