-- What was uploaded before anything could be marked may be wanted by whoever was given its link: nobody could say so then.
update stored_file set is_kept = true
where stage = 'kept' and purpose = 'upload' and expires_at is null
  and create_time < (select applied_at from schema_migration where plugin = 'kernel' and name = '0081-file-kept.sql');
