drop index concurrently if exists session_by_row;
drop index concurrently if exists scope_rule_of_role;
drop index concurrently if exists scope_rule_of_user;
