alter table removal_member drop column given_up;
