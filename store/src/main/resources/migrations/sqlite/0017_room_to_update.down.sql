-- Rows have no fixed share of a page here.
select 1;
