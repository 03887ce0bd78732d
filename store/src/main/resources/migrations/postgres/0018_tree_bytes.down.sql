drop trigger event_counted on event;
drop function event_counted();
drop trigger event_discounted on event;
drop function event_discounted();
drop trigger session_counted on any_session;
drop function session_counted();
drop trigger session_recounted on any_session;
drop function session_recounted();
drop trigger session_discounted on any_session;
drop function session_discounted();
drop trigger run_counted on run;
drop function run_counted();
drop trigger run_recounted on run;
drop function run_recounted();
drop trigger run_discounted on run;
drop function run_discounted();
drop trigger callback_counted on callback;
drop function callback_counted();
drop trigger callback_discounted on callback;
drop function callback_discounted();
drop trigger tree_emptied on tree_bytes;
drop function tree_emptied();
drop function bytes_of(run);
drop function count_bytes(bigint, bigint, bigint, bigint);
drop table tree_bytes;
alter table run drop column output_bytes;
drop view session;
alter table any_session drop column event_bytes_max;
alter table any_session drop column metadata_bytes_max;
alter table any_session drop column output_bytes_max;
alter table any_session drop column processes_max;
alter table any_session drop column memory_bytes_max;
create view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);
