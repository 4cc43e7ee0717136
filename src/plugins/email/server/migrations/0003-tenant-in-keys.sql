alter table email_message drop constraint email_message_pkey, add constraint email_message_pkey primary key using index email_message_by_id;
alter table email_server drop constraint email_server_pkey, add constraint email_server_pkey primary key using index email_server_by_id;
alter table email_view drop constraint email_view_pkey, add constraint email_view_pkey primary key using index email_view_by_id;
alter table email_view drop constraint if exists email_view_user_id_fkey;
alter table email_view add constraint email_view_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
