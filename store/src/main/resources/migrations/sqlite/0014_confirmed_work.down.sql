drop table confirmed_work;
