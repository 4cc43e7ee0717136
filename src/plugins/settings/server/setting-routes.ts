import { sql } from 'drizzle-orm';
import { ApiError, Deployment, type PluginRoute, problem, queryRows, type Repository, route, type ServerContext } from '#server';
import { type Parameter, parameterProblem, tenantKey } from '#shared/parameters';
import type { Param } from '../param-contract.ts';
import { type ParameterState, setting, settingProblems } from '../setting-contract.ts';

/** Refuses a value outside the parameter's declaration with the messages of the field; undeclared keys accept any value. */
export function assertValue({ get }: ServerContext, key: string | undefined, value: string | undefined, field = 'paramValue'): void {
  const name = key?.trim() ?? '';
  const declared = get(Deployment).parameters();
  const parameter = declared.find((one) => one.key === name || (one.isPerTenant && name.startsWith(`${one.key}.`)));
  const problemText = parameter && value !== undefined ? parameterProblem(parameter, value) : undefined;
  if (problemText) throw new ApiError(problem(400, problemText), {}, { field });
}

/** Serves the settings page: all declared parameters with their current values. */
export function settingRoutes(context: ServerContext, params: Repository<typeof Param>): PluginRoute[] {
  const { db, get } = context;

  const parameters = () => get(Deployment).parameters();

  function declared(key: string): Parameter {
    const parameter = parameters().find((one) => one.key === key);
    if (!parameter) throw new ApiError(settingProblems.unknown);
    return parameter;
  }

  async function assertTenant({ isPerTenant }: Parameter, tenantId: string | undefined): Promise<void> {
    if (!tenantId) return;
    if (!isPerTenant) throw new ApiError(settingProblems.notPerTenant, {}, { field: 'tenantId' });
    const tenantRows = await queryRows(db, sql`select from tenant where tenant_id = ${tenantId} and is_deleted = 0`);
    if (tenantRows.length === 0) throw new ApiError(settingProblems.unknownTenant, {}, { field: 'tenantId' });
  }

  return [
    route(setting.list, async () => {
      const rows = await queryRows<StoredValue>(
        db,
        sql`select p.param_key as key, p.param_value as value, u.real_name as "changedBy", to_char(coalesce(p.update_time, p.create_time), 'YYYY-MM-DD HH24:MI:SS') as "changedAt"
          from param p left join user_account u on u.id = coalesce(p.update_user, p.create_user) where p.is_deleted = 0`,
      );
      const stored = new Map(rows.map((row) => [row.key, row]));
      const tenants = await queryRows<TenantReference>(
        db,
        sql`select tenant_id as "tenantId", tenant_name as "tenantName" from tenant where is_deleted = 0 order by id`,
      );
      return parameters().map((parameter) => stateOf(parameter, stored, tenants));
    }),
    route(setting.set, async ({ input: { key, tenantId, value = '' } }) => {
      const parameter = declared(key);
      await assertTenant(parameter, tenantId);
      assertValue(context, key, value, 'value');
      const paramKey = tenantId ? tenantKey(parameter, tenantId) : key;
      const before = await params.find({ paramKey });
      await params.save(
        before
          ? { ...before, paramValue: value.trim() }
          : { paramName: parameter.title[0], paramNameEn: parameter.title[1], paramKey, paramValue: value.trim() },
      );
    }),
    route(setting.reset, async ({ input: { key, tenantId } }) => {
      const parameter = declared(key);
      const stored = await params.find({ paramKey: tenantId ? tenantKey(parameter, tenantId) : key });
      if (stored) await params.remove([stored.id]);
    }),
  ];
}

interface StoredValue {
  readonly key: string;
  readonly value: string;
  readonly changedBy: string | null;
  readonly changedAt: string;
}

interface TenantReference {
  readonly tenantId: string;
  readonly tenantName: string;
}

function stateOf(parameter: Parameter, stored: ReadonlyMap<string, StoredValue>, tenants: readonly TenantReference[]): ParameterState {
  const saved = stored.get(parameter.key);
  const own = tenants.flatMap((tenant) => {
    const value = parameter.isPerTenant ? stored.get(tenantKey(parameter, tenant.tenantId))?.value : undefined;
    return value === undefined ? [] : [{ ...tenant, value }];
  });
  const value = saved?.value ?? String(parameter.preset);
  return { ...parameter, value, isDefault: saved === undefined, changedBy: saved?.changedBy ?? null, changedAt: saved?.changedAt ?? null, own };
}
