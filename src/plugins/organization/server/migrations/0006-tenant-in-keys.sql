alter table post drop constraint post_pkey, add constraint post_pkey primary key using index post_by_id;
