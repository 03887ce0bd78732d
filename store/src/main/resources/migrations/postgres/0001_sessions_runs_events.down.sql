drop table receipt;
drop table runner;
drop table journal_floor;
drop table event;
drop table run;
drop table session;
