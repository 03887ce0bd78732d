-- 0002_stop_reasons
-- frozen: sqlite b91f68385e8cf620, postgres 0a78307150839f13
--
-- Why a session or a run is being stopped. `reason` is that of an end, and stays null until then.

-- section: up

drop view session;
alter table any_session add column stop_reason text;
alter table run add column stop_reason text;
update any_session set stop_reason = 'asked to stop' where state = 'stopping';
update run set stop_reason = 'asked to stop' where state = 'stopping';
create view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);

-- section: down

drop view session;
alter table any_session drop column stop_reason;
alter table run drop column stop_reason;
create view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);

-- section: losses

select count(*), 'reasons of stops under way' from any_session where stop_reason is not null;
