-- Parameters are kept and read by the platform alone: what they are set to is no other tenant's business.

drop policy everyone_reads on param;
