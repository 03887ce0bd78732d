drop table tree_stop_member;
drop table tree_stop;
alter table session drop column abandoned_at;
alter table session drop column frozen_at;
alter table session drop column fenced_at;
alter table session drop column quiet_at;
alter table session drop column on_parent_end;
