drop table child_join_member;
drop table child_join;
drop table callback;
