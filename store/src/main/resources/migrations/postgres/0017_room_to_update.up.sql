-- Rows that change often keep room on their page, so that an update needs no entry in any index.
alter table any_session set (fillfactor = 80);
alter table run set (fillfactor = 70);
alter table runner set (fillfactor = 50);
alter table errand set (fillfactor = 80);
alter table removal set (fillfactor = 80);
