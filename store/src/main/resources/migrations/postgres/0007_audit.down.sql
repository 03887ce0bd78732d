drop trigger audit_whole on audit;
drop trigger audit_kept on audit;
drop table audit;
drop function audit_is_appended();
