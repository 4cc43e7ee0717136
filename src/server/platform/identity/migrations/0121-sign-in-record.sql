-- Record of the sign-in method from which a session began, by which the method finds and ends it.
alter table session add column sign_in_id bigint;
alter table sign_in_step add column sign_in_id bigint;
