-- Runners also say what runs in sessions, look for refs that nothing remembers, and let go of what was
-- kept for a removal that did not come to be.
alter table errand drop constraint errand_kind_check;
alter table errand add constraint errand_kind_check check (kind in ('look', 'keep', 'tidy', 'wipe', 'copy', 'check', 'release'));
drop index errand_look;
create index errand_look on errand (asked_at) where kind in ('look', 'check');
alter table work_item drop constraint work_item_kind_check;
alter table work_item add constraint work_item_kind_check check (kind in ('git', 'plain', 'output', 'processes', 'refs'));
alter table work_item add column processes bigint not null default 0;

-- A child that was detached is that row, and nobody who is given its id later.
alter table removal_detached add column session bigint references any_session (key) on delete set null;
update removal_detached set session = (select s.key from any_session s where s.id = removal_detached.session_id);
-- Limits and budget that were its own before.
alter table removal_detached add column own text;
create index removal_detached_session on removal_detached (session);
