drop trigger audit_fixed;
drop trigger audit_kept;
drop table audit;
