drop table spent;
drop table budget;
