alter table any_session drop column came_from;
