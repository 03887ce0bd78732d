alter table any_session reset (fillfactor);
alter table run reset (fillfactor);
alter table runner reset (fillfactor);
alter table errand reset (fillfactor);
alter table removal reset (fillfactor);
