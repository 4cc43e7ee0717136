alter table session drop constraint session_pkey, add constraint session_pkey primary key using index session_by_id;
alter table user_oauth drop constraint user_oauth_pkey, add constraint user_oauth_pkey primary key using index user_oauth_by_id;
alter table social_app drop constraint social_app_pkey, add constraint social_app_pkey primary key using index social_app_by_id;
alter table registration drop constraint registration_pkey, add constraint registration_pkey primary key using index registration_by_id;
alter table live_event drop constraint live_event_pkey, add constraint live_event_pkey primary key using index live_event_by_id;
alter table inbox_message drop constraint inbox_message_pkey, add constraint inbox_message_pkey primary key using index inbox_message_by_id;
alter table shared_view drop constraint shared_view_pkey, add constraint shared_view_pkey primary key using index shared_view_by_id;
alter table sms_code drop constraint sms_code_pkey, add constraint sms_code_pkey primary key using index sms_code_by_id;
alter table sms_outbox drop constraint sms_outbox_pkey, add constraint sms_outbox_pkey primary key using index sms_outbox_by_id;
alter table transfer_password drop constraint transfer_password_pkey, add constraint transfer_password_pkey primary key using index transfer_password_by_id;

alter table recovery_code drop constraint if exists recovery_code_user_id_fkey;
alter table recovery_code drop constraint recovery_code_pkey, add constraint recovery_code_pkey primary key using index recovery_code_of_tenant;
alter table recovery_code add constraint recovery_code_factor foreign key (user_id, tenant_id) references second_factor (user_id, tenant_id) on delete cascade not valid;

alter table transfer_password drop constraint if exists transfer_password_transfer_id_fkey;
alter table transfer_problem drop constraint if exists transfer_problem_transfer_id_fkey;
alter table transfer drop constraint transfer_pkey, add constraint transfer_pkey primary key using index transfer_by_id;
alter table transfer_problem drop constraint transfer_problem_pkey, add constraint transfer_problem_pkey primary key using index transfer_problem_by_row;
alter table transfer_password add constraint transfer_password_transfer foreign key (transfer_id, tenant_id) references transfer (id, tenant_id) on delete cascade not valid;
alter table transfer_problem add constraint transfer_problem_transfer foreign key (transfer_id, tenant_id) references transfer (id, tenant_id) on delete cascade not valid;
