alter table budget drop column told;
