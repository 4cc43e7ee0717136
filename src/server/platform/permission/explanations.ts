import { sql } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { type Explanation, type ExplanationStep, explained, type PermissionQuestion } from '#shared/permission-explanation';
import { type Language, type LocalizedText, localize } from '#shared/text';
import { treeOf } from '#shared/tree';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { type Route, routePaths } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import type { PluginSwitches } from '../switches/plugin-switches.ts';
import { roleTitle } from './grantable-roles.ts';
import type { EvaluatedMenuEntry, GrantedMenus } from './granted-menus.ts';
import { isAdministrator } from './granted-menus.ts';
import { titleOfMenu } from './menu-rows.ts';
import { apiScopeStep, dataScopeStep, scopedEntityOf } from './scope-steps.ts';

/** Sources of the explanations, available once everything has started. */
export interface ExplanationsDeps {
  readonly menus: GrantedMenus;
  readonly routes: readonly Route[];
  readonly plugins: readonly { readonly id: string; readonly title: LocalizedText }[];
  readonly switches: Pick<PluginSwitches, 'offIn' | 'titleOf'>;
  /** Builds the principal a user would have after signing in; undefined if the user cannot sign in. */
  readonly principalOf: (tenantId: string, userId: string) => Promise<Principal | undefined>;
}

/** Subject of a question: a menu entry, a call, or a call with the entry of its code. */
export interface Subject {
  readonly route: Route | undefined;
  readonly entry: EvaluatedMenuEntry | undefined;
  readonly code: string | undefined;
  readonly rowId: string | undefined;
}

/** Explains for a user and a page, button, call or row the decision of each step. The decisions come from the same code that authorizes requests. */
export class Explanations {
  private parts: ExplanationsDeps | undefined;

  constructor(private readonly db: Database) {}

  setSources(parts: ExplanationsDeps): void {
    this.parts = parts;
  }

  /** Answers a question about a user of the asker's tenant. */
  async explain(asker: Principal, { userId = asker.userId, about, rowId }: PermissionQuestion): Promise<Explanation> {
    const parts = this.sources();
    const user = await this.user(userId);
    const principal = await parts.principalOf(asker.tenantId, userId);
    const subject = await this.subject(principal ?? { ...asker, roleIds: [], roles: [] }, { about, rowId });
    const entity = scopedEntityOf(this.db, subject, parts.routes);
    const steps = principal ? await this.steps(principal, subject) : [explained('account', 'refuses', 'cannotSignIn')];
    return {
      user,
      subject: { kind: kindOf(subject), name: nameOf(subject, about), about, ...(entity ? { entity: entity.name } : {}) },
      isAllowed: steps.every(({ verdict }) => verdict !== 'refuses'),
      steps: [...steps],
    };
  }

  /** Lists the pages and buttons a question can be about, by code. */
  async entries(asker: Principal, language: Language) {
    const { menus } = this.sources();
    const rows = await menus.entries(asker);
    const parents = new Set(rows.map(({ parentId }) => parentId));
    return treeOf(
      rows
        .filter(({ id, code }) => !menus.groups.has(code) || parents.has(id))
        .map(({ id, parentId, category, code, ...names }) => ({
          id,
          parentId,
          category,
          title: localize(titleOfMenu(names), language),
          value: code,
          key: code,
        })),
    );
  }

  /** Returns the title of a call by its own path; undefined for an unknown path. */
  titleOf(method: string, path: string): LocalizedText | undefined {
    return this.sources().routes.find(({ call }) => call.method === method && call.path === path)?.call.title;
  }

  /** Returns the entity whose rows a list answers, by its name; undefined if no list does. */
  entityOf(name: string): Entity | undefined {
    return this.sources().routes.find(({ call: { filterable } }) => filterable?.name === name)?.call.filterable;
  }

  /** Finds the paths of calls whose title contains the text, in either language. */
  titled(text: string): { method: string; path: string }[] {
    const needle = text.trim().toLowerCase();
    return this.sources()
      .routes.filter(({ call }) => call.title.some((title) => title.toLowerCase().includes(needle)))
      .map(({ call: { method, path } }) => ({ method, path }));
  }

  /** Finds calls whose path or title contains the text. */
  calls(text: string, language: Language): { path: string; title: string }[] {
    const needle = text.trim().toLowerCase();
    return this.sources()
      .routes.flatMap((route) => routePaths(route).map((path) => ({ path, title: localize(route.call.title, language) })))
      .filter(({ path, title }) => path.toLowerCase().includes(needle) || title.toLowerCase().includes(needle));
  }

  private async steps(principal: Principal, subject: Subject) {
    const account = principal.passwordExpired ? explained('account', 'refuses', 'passwordChangeRequired') : explained('account', 'allows', 'canSignIn');
    const parts = this.sources();
    return [
      account,
      ...(await entrySteps(this.db, principal, subject, parts)),
      codeStep(principal, subject),
      await apiScopeStep(this.db, principal, subject, parts.routes),
      await dataScopeStep(this.db, principal, { rowId: subject.rowId, entity: scopedEntityOf(this.db, subject, parts.routes) }),
    ];
  }

  private async subject(
    grantee: Pick<Principal, 'tenantId' | 'roleIds' | 'roles'>,
    { about, rowId }: { readonly about: string; readonly rowId: string | undefined },
  ): Promise<Subject> {
    const { routes, menus } = this.sources();
    const route = routes.find((one) => routePaths(one).includes(about));
    const code = route ? requiredCode(route, rowId) : undefined;
    const page = about.replace(/\/index$/, '');
    const entry = route
      ? code && (await menus.evaluateRows(grantee, { code }))
      : await menus.evaluateRows(grantee, about.startsWith('/') ? { path: page } : { code: about });
    if (!route && !entry) throw new ApiError(problems.notFound, {}, { field: 'about' });
    return { route, entry: entry || undefined, code: code ?? (entry || undefined)?.row.code, rowId };
  }

  private async user(userId: string): Promise<Explanation['user']> {
    const [user] = await queryRows<Explanation['user']>(
      this.db,
      sql`select id::text as id, account, real_name as name from user_account where id = ${userId}::bigint and is_deleted = 0`,
    );
    if (!user) throw new ApiError(problems.notFound, {}, { field: 'userId' });
    return user;
  }

  private sources(): ExplanationsDeps {
    if (!this.parts) throw new Error('Explanations are not available before the server is ready.');
    return this.parts;
  }
}

/** Returns the code a call requires: a submit with an id updates a row, one without an id adds one. */
function requiredCode({ call: { access } }: Route, rowId: string | undefined): string | undefined {
  if (typeof access === 'string') return undefined;
  return 'code' in access ? access.code : rowId ? access.edit : access.add;
}

const kindOf = ({ route, entry }: Subject): Explanation['subject']['kind'] => (route ? 'call' : entry?.row.category === 2 ? 'button' : 'page');

const nameOf = ({ route, entry }: Subject, about: string): LocalizedText => route?.call.title ?? (entry ? titleOfMenu(entry.row) : [about, about]);

/** Explains the decisions of plugin, package, roles and menu about an entry. */
async function entrySteps(db: Database, principal: Principal, { route, entry, code }: Subject, parts: ExplanationsDeps): Promise<ExplanationStep[]> {
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
function codeStep({ codes }: Principal, { route, code }: Subject): ExplanationStep {
  if (!code) return explained('code', 'allows', route?.call.access === 'open' ? 'open' : 'signedIn');
  return codes.has(code) ? explained('code', 'allows', 'hasCode', { code }) : explained('code', 'refuses', 'lacksCode', { code });
}

/** Explains that a plugin is disabled, and by whom, since only they can enable it again. */
function offStep(id: string | undefined, { tenantId }: Principal, { switches }: ExplanationsDeps): ExplanationStep | undefined {
  const why = id === undefined ? undefined : switches.offIn(tenantId).get(id);
  if (id === undefined || !why) return undefined;
  const values = { plugin: switches.titleOf(id), dependency: switches.titleOf(why.with ?? id) };
  if (why.with !== undefined)
    return explained('plugin', 'refuses', why.by === 'platform' ? 'dependencyDisabledByPlatform' : 'dependencyDisabledInTenant', values);
  return explained('plugin', 'refuses', why.by === 'platform' ? 'disabledByPlatform' : 'disabledInTenant', values);
}

function pluginStep(id: string | undefined, entry: EvaluatedMenuEntry | undefined, plugins: ExplanationsDeps['plugins']): ExplanationStep {
  if (entry && !entry.isServed) return explained('plugin', 'refuses', 'pluginNotRunning');
  if (id === undefined) return explained('plugin', 'allows', 'addedByAdministrator');
  const plugin = plugins.find((one) => one.id === id);
  return plugin ? explained('plugin', 'allows', 'pluginRuns', { plugin: plugin.title }) : explained('plugin', 'allows', 'providedByKernel');
}

async function pluginOf(db: Database, { row }: EvaluatedMenuEntry): Promise<string | undefined> {
  const [seeded] = await queryRows<{ plugin: string }>(db, sql`select plugin_id as plugin from seeded_menu where menu_id = ${row.id}::bigint`);
  return seeded?.plugin;
}

function packageStep({ tenantId }: Principal, { tenant, isPublic }: EvaluatedMenuEntry): ExplanationStep {
  if (isPublic) return explained('package', 'allows', 'forAllUsers');
  if (tenant === 'platformOnly') return explained('package', 'refuses', 'platformOnly');
  if (tenant === 'notPackaged') return explained('package', 'refuses', 'notInPackage');
  if (tenant === 'packaged') return explained('package', 'allows', 'inPackage');
  return explained('package', 'allows', tenantId === platformTenant ? 'platformTenant' : 'noPackage');
}

async function roleStep(db: Database, principal: Principal, { row, isGranted, isPublic }: EvaluatedMenuEntry): Promise<ExplanationStep> {
  if (isPublic) return explained('role', 'allows', 'forAllUsers');
  if (isAdministrator(principal.roles)) return explained('role', 'allows', 'administrator');
  if (principal.roleIds.length === 0) return explained('role', 'refuses', 'noRole');
  const roles = await queryRows<{ title: LocalizedText; grantsEntry: boolean }>(
    db,
    sql`select ${roleTitle} as title, exists (select from role_menu rm where rm.role_id = r.id and rm.menu_id = ${row.id}::bigint) as "grantsEntry"
        from role r where r.id = any(${`{${principal.roleIds.join(',')}}`}::bigint[]) order by r.sort, r.id`,
  );
  const named = (which: typeof roles): LocalizedText => [which.map(({ title }) => title[0]).join('、'), which.map(({ title }) => title[1]).join(', ')];
  if (isGranted) return explained('role', 'allows', 'granted', { roles: named(roles.filter(({ grantsEntry }) => grantsEntry)) });
  return explained('role', 'refuses', 'grantedByNone', { roles: named(roles) });
}

function menuStep({ isShown }: EvaluatedMenuEntry): ExplanationStep {
  return isShown ? explained('menu', 'allows', 'inMenu') : explained('menu', 'refuses', 'notInMenu');
}
