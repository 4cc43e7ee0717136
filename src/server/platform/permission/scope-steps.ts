import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { type ExplanationStep, explained, rowParts } from '#shared/permission-explanation';
import type { LocalizedText } from '#shared/text';
import { actingAs, type RowScope, type ScopePart } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';
import { repositoryOf } from '../../data/repository/repository.ts';
import { isWithinApiScopes, requiredCodes } from '../http/authorize-call.ts';
import { type Route, routePaths } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { coveringScopes, readApiScopeGrants } from './api-scopes.ts';
import type { Subject } from './explanations.ts';
import { isAdministrator } from './granted-menus.ts';

/** Explains the API scopes of a call, or of the calls that require the code of a page or button. */
export async function apiScopeStep(db: Database, principal: Principal, { route, code }: Subject, routes: readonly Route[]): Promise<ExplanationStep> {
  if (isAdministrator(principal.roles)) return explained('apiScope', 'allows', 'apiScopeNotRequired');
  const matchingRoutes = route ? [route] : routes.filter(({ call }) => code !== undefined && requiredCodes(call.access).includes(code));
  const scopes = await readApiScopeGrants(db, principal);
  const scopeListOf = (some: readonly Route[]) => {
    const covering = new Set(some.flatMap((one) => coveringScopes(scopes, routePaths(one))));
    return listed([...covering].map(({ name }) => [name, name]));
  };
  const refusedRoutes = matchingRoutes.filter(
    (one) => one.call.access !== 'open' && !isWithinApiScopes({ path: one.call.path, aliases: one.aliases }, principal),
  );
  if (refusedRoutes.length > 0) return explained('apiScope', 'refuses', 'apiScopeMissing', { scopes: scopeListOf(refusedRoutes) });
  const scopeList = scopeListOf(matchingRoutes);
  return scopeList[0] === '' ? explained('apiScope', 'allows', 'noApiScope') : explained('apiScope', 'allows', 'apiScopeGranted', { scopes: scopeList });
}

/** Finds the entity of a page or call: that of its list, or else the entity named like its code. */
export function scopedEntityOf(db: Database, { route, entry, code }: Subject, routes: readonly Route[]): Entity | undefined {
  const pageCode = entry?.row.category === 1 ? entry.row.code : code?.replace(/_[^_]+$/, '');
  const candidateRoutes = [route, ...routes.filter(({ call }) => requiredCodes(call.access).includes(pageCode ?? ''))];
  return candidateRoutes.find((one) => one?.call.filterable)?.call.filterable ?? db.entities.get(pageCode ?? '');
}

interface ScopedRow {
  readonly entity: Entity | undefined;
  readonly rowId: string | undefined;
}

/** Explains the user's data scope on an entity, or on one row. */
export async function dataScopeStep(db: Database, principal: Principal, { entity, rowId }: ScopedRow): Promise<ExplanationStep> {
  if (!entity) return explained('dataScope', 'silent', 'noEntity');
  if (rowId) return rowStep(db, principal, { entity, rowId });
  const scope = principal.dataScopes?.get(entity.name);
  if (scope?.parts) return explained('dataScope', 'allows', 'someRows', { parts: partsOf(scope.parts) });
  if (scope?.fields) return explained('dataScope', 'allows', 'someFields', { fields: listed([...scope.fields].map((name) => titleOf(entity, name))) });
  return explained('dataScope', 'allows', 'allRows');
}

/** Explains one row; a row that the person who requests the explanation may not see is reported as missing. */
async function rowStep(db: Database, principal: Principal, { entity, rowId }: { readonly entity: Entity; readonly rowId: string }): Promise<ExplanationStep> {
  const rows = repositoryOf(db, entity);
  const canRead = (runAs: <Result>(work: () => Result) => Result) =>
    runAs(async () => rows.detail(rowId)).then(
      () => true,
      () => false,
    );
  if (!(await canRead((work) => work()))) return explained('dataScope', 'refuses', 'rowMissing');
  return (await canRead((work) => actingAs(principal, work))) ? explained('dataScope', 'allows', 'rowInside') : explained('dataScope', 'refuses', 'rowOutside');
}

const partsOf = (parts: NonNullable<RowScope['parts']>): LocalizedText => listed([...new Set(parts.flatMap(kindsOf))].map((kind) => rowParts[kind]));

const kindsOf = (part: ScopePart): Exclude<ScopePart['kind'], 'both'>[] => (part.kind === 'both' ? part.parts.flatMap(kindsOf) : [part.kind]);

const titleOf = (entity: Entity, name: string): LocalizedText => {
  const field = entity.fields[name];
  return (field && traitsOf(field)?.title) ?? [name, name];
};

const listed = (texts: readonly LocalizedText[]): LocalizedText => [texts.map(([zh]) => zh).join('、'), texts.map(([, en]) => en).join(', ')];
