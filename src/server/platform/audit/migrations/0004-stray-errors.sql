-- Errors that nobody caught are counted by plugin from this log, however long it is.
create index usual_log_stray_error on usual_log (create_time) where log_id in ('server:stray-rejection', 'server:stray-exception');
