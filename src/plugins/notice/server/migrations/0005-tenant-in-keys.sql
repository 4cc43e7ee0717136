alter table notice_read drop constraint if exists notice_read_notice_id_fkey, drop constraint if exists notice_read_user_id_fkey;
alter table notice_told drop constraint if exists notice_told_notice_id_fkey, drop constraint if exists notice_told_user_id_fkey;
alter table notice_newcomer drop constraint if exists notice_newcomer_user_id_fkey;
alter table notice drop constraint notice_pkey, add constraint notice_pkey primary key using index notice_by_id;
alter table notice_read add constraint notice_read_notice foreign key (notice_id, tenant_id) references notice (id, tenant_id) on delete cascade not valid;
alter table notice_read add constraint notice_read_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table notice_told add constraint notice_told_notice foreign key (notice_id, tenant_id) references notice (id, tenant_id) on delete cascade not valid;
alter table notice_told add constraint notice_told_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
alter table notice_newcomer add constraint notice_newcomer_account foreign key (user_id, tenant_id) references user_account (id, tenant_id) on delete cascade not valid;
