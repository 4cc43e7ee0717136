import { sql } from 'drizzle-orm';
import { type ExplanationStep, explained } from '#shared/permission-explanation';
import type { LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { Principal } from '../principal/principal.ts';
import type { ExplanationsDeps, Subject } from './explanations.ts';
import { type EvaluatedMenuEntry, isAdministrator } from './granted-menus.ts';

/** Explains the decisions of plugin, package, roles and menu about an entry. */
export async function entrySteps(db: Database, principal: Principal, { route, entry, code }: Subject, parts: ExplanationsDeps): Promise<ExplanationStep[]> {
  const id = route?.plugin ?? (entry && (await pluginOf(db, entry)));
  const plugin = offStep(id, principal, parts) ?? pluginStep(id, entry, parts.plugins);
  if (!entry) {
    const administrator = isAdministrator(principal.roles) && explained('role', 'allows', 'administrator');
    const role = code
      ? administrator || explained('role', 'silent', 'noEntry')
      : explained('role', 'silent', route?.call.access === 'open' ? 'open' : 'signedIn');
    return [plugin, explained('package', 'silent', 'noEntry'), role, explained('menu', 'silent', 'noEntry')];
  }
  return [plugin, packageStep(principal, entry), await roleStep(db, principal, entry), menuStep(entry)];
}

/** Explains the permission code a call requires, and whether the user has it. */
export function codeStep({ codes }: Principal, { route, code }: Subject): ExplanationStep {
  if (!code) return explained('code', 'allows', route?.call.access === 'open' ? 'open' : 'signedIn');
  return codes.has(code) ? explained('code', 'allows', 'hasCode', { code }) : explained('code', 'refuses', 'lacksCode', { code });
}

/** Explains that a plugin is disabled, and by whom, since only they can enable it again. */
function offStep(id: string | undefined, { tenantId }: Principal, { switches }: ExplanationsDeps): ExplanationStep | undefined {
  const why = id === undefined ? undefined : switches.offIn(tenantId).get(id);
  if (id === undefined || !why) return undefined;
  const values = { plugin: switches.titleOf(id), needed: switches.titleOf(why.with ?? id) };
  if (why.with !== undefined) return explained('plugin', 'refuses', why.by === 'platform' ? 'goesWithAtPlatform' : 'goesWith', values);
  return explained('plugin', 'refuses', why.by === 'platform' ? 'switchedOffByPlatform' : 'switchedOff', values);
}

function pluginStep(id: string | undefined, entry: EvaluatedMenuEntry | undefined, plugins: ExplanationsDeps['plugins']): ExplanationStep {
  if (entry && !entry.isServed) return explained('plugin', 'refuses', 'runsNot');
  if (id === undefined) return explained('plugin', 'allows', 'added');
  const plugin = plugins.find((one) => one.id === id);
  return plugin ? explained('plugin', 'allows', 'runs', { plugin: plugin.title }) : explained('plugin', 'allows', 'kernel');
}

async function pluginOf(db: Database, { row }: EvaluatedMenuEntry): Promise<string | undefined> {
  const [seeded] = await queryRows<{ plugin: string }>(db, sql`select plugin_id as plugin from seeded_menu where menu_id = ${row.id}::bigint`);
  return seeded?.plugin;
}

function packageStep({ tenantId }: Principal, { tenant, isPublic }: EvaluatedMenuEntry): ExplanationStep {
  if (isPublic) return explained('package', 'allows', 'everybodys');
  if (tenant === 'platformOnly') return explained('package', 'refuses', 'platformOnly');
  if (tenant === 'notPackaged') return explained('package', 'refuses', 'notInPackage');
  if (tenant === 'packaged') return explained('package', 'allows', 'inPackage');
  return explained('package', 'allows', tenantId === '000000' ? 'platformTenant' : 'noPackage');
}

async function roleStep(db: Database, principal: Principal, { row, isGranted, isPublic }: EvaluatedMenuEntry): Promise<ExplanationStep> {
  if (isPublic) return explained('role', 'allows', 'everybodys');
  if (isAdministrator(principal.roles)) return explained('role', 'allows', 'administrator');
  if (principal.roleIds.length === 0) return explained('role', 'refuses', 'noRole');
  const roles = await queryRows<{ name: string; isGiving: boolean }>(
    db,
    sql`select r.role_name as name, exists (select from role_menu rm where rm.role_id = r.id and rm.menu_id = ${row.id}::bigint) as "isGiving"
        from role r where r.id = any(${`{${principal.roleIds.join(',')}}`}::bigint[]) order by r.sort, r.id`,
  );
  const named = (which: typeof roles): LocalizedText => [which.map(({ name }) => name).join('、'), which.map(({ name }) => name).join(', ')];
  if (isGranted) return explained('role', 'allows', 'granted', { roles: named(roles.filter(({ isGiving }) => isGiving)) });
  return explained('role', 'refuses', 'grantedByNone', { roles: named(roles) });
}

function menuStep({ isShown }: EvaluatedMenuEntry): ExplanationStep {
  return isShown ? explained('menu', 'allows', 'inMenu') : explained('menu', 'refuses', 'notInMenu');
}
