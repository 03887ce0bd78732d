-- The parent a child was detached from, where that is known from a file it came back from.
alter table any_session add column came_from text;
create or replace view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);
