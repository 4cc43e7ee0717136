alter table email_view validate constraint email_view_account;
