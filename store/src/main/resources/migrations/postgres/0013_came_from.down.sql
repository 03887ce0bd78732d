drop view session;
alter table any_session drop column came_from;
create view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);
