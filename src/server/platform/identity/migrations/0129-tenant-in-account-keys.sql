-- References of plugins go with the keys; each plugin adds its own again with the tenant.
alter table user_account drop constraint user_account_pkey cascade, add constraint user_account_pkey primary key using index user_account_by_id;
alter table role drop constraint role_pkey cascade, add constraint role_pkey primary key using index role_by_id;
alter table dept drop constraint dept_pkey cascade, add constraint dept_pkey primary key using index dept_by_id;

alter table user_role add constraint user_role_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table user_role add constraint user_role_role foreign key (role_id, tenant_id) references role (id, tenant_id) on delete cascade not valid;
alter table user_dept add constraint user_dept_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table user_dept add constraint user_dept_dept foreign key (dept_id, tenant_id) references dept (id, tenant_id) on delete cascade not valid;
alter table user_post add constraint user_post_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table user_preference add constraint user_preference_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table role_menu add constraint role_menu_role foreign key (role_id, tenant_id) references role (id, tenant_id) on delete cascade not valid;
alter table role_scope add constraint role_scope_role foreign key (role_id, tenant_id) references role (id, tenant_id) on delete cascade not valid;
alter table scope_rule add constraint scope_rule_role foreign key (role_id, tenant_id) references role (id, tenant_id) on delete cascade not valid;
alter table scope_rule add constraint scope_rule_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table shared_view add constraint shared_view_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table inbox_message add constraint inbox_message_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table session add constraint session_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table sign_in_step add constraint sign_in_step_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table authorization_code add constraint authorization_code_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table second_factor add constraint second_factor_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table user_oauth add constraint user_oauth_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete set null (user_id) not valid;
