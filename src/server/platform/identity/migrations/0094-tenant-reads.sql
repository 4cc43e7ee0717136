-- What a tenant may read of the platform's tables: of the tenants itself alone, of the packages its own, and none of the programs that sign people in, with the
-- hashes of their secrets. Whoever signs in is looked up by the platform.

drop policy everyone_reads on tenant;
create policy own_reads on tenant for select to marquee_tenant using (tenant_id = (select current_setting('app.tenant', true)));

drop policy everyone_reads on tenant_package;
create policy own_reads on tenant_package for select to marquee_tenant using (id in (select t.package_id from tenant t));

drop policy everyone_reads on client;
