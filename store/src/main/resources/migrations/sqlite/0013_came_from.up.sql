-- The parent a child was detached from, where that is known from a file it came back from.
alter table any_session add column came_from text;
