import { eq, sql } from 'drizzle-orm';
import {
  type CallRequest,
  type Database,
  forgetPrincipals,
  generatedPassword,
  problems,
  Refusal,
  type Repository,
  repositoryOf,
  rowsOf,
  type ServerContext,
} from '#server';
import type { Entity } from '#shared/contract';
import { isEmpty } from '#shared/text';
import { deletedTenants, Tenant, type TenantRow, tenant, tenantPackage, tenantProblems } from '../contract.ts';
import { copyDictionaries } from './first-dictionaries.ts';
import { firstAccount, writeFirstRows } from './first-rows.ts';
import { grantPackages, grantWithoutPackage } from './grants.ts';

const platformTenant = '000000';
const unlimited = -1;

/** Tenants with what they may have. The platform's own has no end, no quota and no package, and cannot be deleted. */
export function serveTenants(context: ServerContext): void {
  const { serve, serveCrud, db, passwords, platformOnly, parameters } = context;
  const tenants = tenantsOf(context);
  const deleted = repositoryOf(db, deletedTenants.entity, { where: () => sql`true` });

  const coded = async (tenantId: string): Promise<TenantRow> => {
    const found = await tenants.find({ tenantId });
    if (!found) throw new Refusal(problems.notFound);
    return found;
  };

  serveCrud(tenant, tenants);
  serve(
    tenant.submit,
    async ({ input, prepared }) => {
      if (!prepared) return tenants.save(input);
      const quota = input.accountNumber ?? (await parameters.whole('tenant.default.accountNumber', unlimited));
      const row = await tenants.save({ ...input, accountNumber: quota });
      const roleId = await writeFirstRows(db, row, prepared.hash);
      await copyDictionaries(db, row.tenantId);
      if (row.packageId) await grantPackages(db, platformOnly(), sql`t.id = ${row.id}`);
      else await db.write({ tenantId: row.tenantId }, async () => grantWithoutPackage(db, roleId, platformOnly(), await firstCodes()));
      return { ...row, account: firstAccount, password: prepared.password };
    },
    {
      tellsSecret: true,
      async prepare({ input }: CallRequest<typeof tenant.submit>) {
        if (!isEmpty(input.id)) return undefined;
        const password = generatedPassword();
        return { password, hash: await passwords.hash(passwords.read(password)) };
      },
    },
  );
  serve(tenant.restore, async ({ input }) => {
    await restore(context, input.ids);
    return null;
  });
  serve(tenant.select, async () => (await tenants.list()).map(({ id, tenantId, tenantName }) => ({ id, tenantId, tenantName })));
  serve(tenant.setting, async ({ input: { ids, ...values } }) => {
    for (const id of new Set(ids)) await tenants.save({ ...(await tenants.detail(id)), ...values });
    return null;
  });
  serve(tenant.datasource, async ({ input: { tenantId, datasourceId = null } }) => {
    await tenants.save({ ...(await coded(tenantId)), datasourceId });
    return null;
  });
  serve(tenant.datasources, async () => ((await datasourcesOf(db)?.list()) ?? []).map(({ id, name }) => ({ id: String(id), name: String(name) })));
  serve(tenant.packageDetail, async ({ input }) => {
    const packageId = (await tenants.find({ id: input.tenantId }))?.packageId;
    return packageId ? ((await packages(context).find({ id: packageId })) ?? {}) : {};
  });
  serve(tenant.packageSetting, async ({ input: { tenantId, packageId = null } }) => {
    await tenants.save({ ...(await coded(tenantId)), packageId });
    return null;
  });
  serve(deletedTenants.list, ({ input }) => deleted.page(input));

  async function firstCodes(): Promise<string[]> {
    const text = await parameters.text('tenant.default.menuCode', '');
    return text.split(',').flatMap((code) => code.trim() || []);
  }
}

const packages = ({ db }: ServerContext) => repositoryOf(db, tenantPackage.entity);

function tenantsOf({ db, platformOnly }: ServerContext): Repository<typeof Tenant> {
  return repositoryOf(db, Tenant, {
    unique: [{ fields: ['tenantName'] }, { fields: ['domain'] }],
    complete: ({ accountNumber }) => (accountNumber === null ? { accountNumber: unlimited } : {}),
    async beforeSave(form, before) {
      const isLimited = form.expireTime || form.packageId || (form.accountNumber ?? -1) > 0;
      if (before?.tenantId === platformTenant && isLimited) throw new Refusal(tenantProblems.platform);
      if (form.packageId && form.packageId !== before?.packageId) await packageThere(form.packageId);
      if (form.datasourceId && form.datasourceId !== before?.datasourceId) await datasourceThere(db, form.datasourceId);
    },
    beforeRemove(rows) {
      if (rows.some(({ tenantId }) => tenantId === platformTenant)) throw new Refusal(tenantProblems.platform);
    },
    async saved({ id, tenantId, packageId }, before) {
      if (before && packageId && packageId !== before.packageId) await grantPackages(db, platformOnly(), sql`t.id = ${id}`);
      await forgetPrincipals(db, { tenantId });
    },
    async removed(rows) {
      for (const { tenantId } of rows) await forgetPrincipals(db, { tenantId });
    },
  });

  async function packageThere(id: string): Promise<void> {
    const there = await repositoryOf(db, tenantPackage.entity).find({ id });
    if (!there) throw new Refusal(problems.wrongParameter, { name: 'packageId' }, { field: 'packageId' });
  }
}

/** Data sources are some plugin's; where none keeps them there is none. */
function datasourcesOf(db: Database): Repository<Entity> | undefined {
  const entity = db.entities.get('datasource');
  return entity && repositoryOf(db, entity);
}

async function datasourceThere(db: Database, id: string): Promise<void> {
  if (!(await datasourcesOf(db)?.find({ id }))) throw new Refusal(problems.wrongParameter, { name: 'datasourceId' }, { field: 'datasourceId' });
}

/** All of them or none. Whatever a tenant had is there again: nothing of it was touched. */
async function restore({ db }: ServerContext, ids: readonly string[]): Promise<void> {
  const deleted = repositoryOf(db, deletedTenants.entity, { where: () => sql`true` });
  for (const id of new Set(ids)) {
    const [row] = await deleted.list(eq(deleted.table.id, id));
    if (!row) throw new Refusal(tenantProblems.restoreExpired);
    await rowsOf(db, sql`update tenant set is_deleted = 0, update_time = now() where id = ${id}`);
    await forgetPrincipals(db, { tenantId: row.tenantId });
  }
}
