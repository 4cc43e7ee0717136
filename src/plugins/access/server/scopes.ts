import {
  ApiError,
  crudRoutes,
  type Database,
  invalidatePrincipals,
  type PluginRoute,
  problems,
  repositoryOf,
  route,
  type ServerContext,
  schemaAt,
  scopedField,
} from '#server';
import type { FormOf } from '#shared/contract';
import { parseCondition, scopePaths } from '#shared/scopes';
import { snakeCase } from '#shared/text';
import { ApiScope, apiScope, DataScope, dataScope, scopeProblems } from '../contract.ts';
import { pagesOfPlatform } from './menus.ts';

/** Serves data scopes. Each is validated against its entity when it is saved. */
export function dataScopeRoutes({ db }: ServerContext): PluginRoute[] {
  const pages = pagesOfPlatform(db);
  const changed = () => invalidatePrincipals(db, { everyone: true });
  const scopes = repositoryOf(db, DataScope, {
    complete: ({ scopeClass }) => (scopeClass?.includes('.') ? { scopeClass: entityOfMapper(db, scopeClass) } : {}),
    async beforeSave(form, before) {
      const { code } = await pageOf(pages, { ...before, ...form });
      assertValid(db, { ...before, ...form }, code);
    },
    saved: changed,
    removed: changed,
  });

  return [
    crudRoutes(dataScope, scopes),
    route(dataScope.pages, ({ input }) => pages.tree(input)),
    route(dataScope.entities, () =>
      [...db.entities.values()].map((entity) => ({
        id: entity.name,
        name: entity.name,
        fields: Object.keys(entity.fields).filter((field) => scopedField(entity, field)),
      })),
    ),
  ];
}

/** Serves API scopes. As soon as a scope exists, only roles that have it can call the addresses that it matches. */
export function apiScopeRoutes({ db }: ServerContext): PluginRoute[] {
  const pages = pagesOfPlatform(db);
  const changed = () => invalidatePrincipals(db, { everyone: true });
  const scopes = repositoryOf(db, ApiScope, {
    async beforeSave(form, before) {
      await pageOf(pages, { ...before, ...form });
    },
    saved: changed,
    removed: changed,
  });

  return [crudRoutes(apiScope, scopes), route(apiScope.pages, ({ input }) => pages.tree(input))];
}

const pageOf = (pages: ReturnType<typeof pagesOfPlatform>, { menuId }: { readonly menuId?: string }) =>
  pages.detail(String(menuId)).catch(() => {
    throw new ApiError(problems.wrongParameter, { name: 'menuId' }, { field: 'menuId' });
  });

/** Returns the entity a mapper method reads: `com.shop.mapper.NoticeMapper.selectPage` reads `notice`; users are named `user_account` here. */
function entityOfMapper(db: Database, scopeClass: string): string {
  const mapper = scopeClass.split('.').findLast((part) => part.endsWith('Mapper'));
  const name = snakeCase((mapper ?? '').replace(/Mapper$/, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase()));
  const found = [name, `${name}_account`].find((one) => db.entities.has(one));
  if (found === undefined) {
    const examples = [...db.entities.keys()].slice(0, 3).join(', ');
    throw new ApiError(scopeProblems.unknownMapper, { name: scopeClass, examples }, { field: 'scopeClass' });
  }
  return found;
}

type ScopeForm = Partial<FormOf<typeof DataScope>>;

function assertValid(db: Database, { scopeClass, scopeColumn, scopeField = '*', scopeType, scopeValue }: ScopeForm, code: string): void {
  const entity = db.entities.get(scopeClass || code);
  if (!entity) throw new ApiError(scopeProblems.unknownEntity, {}, { field: 'scopeClass' });
  const assertField = (name: string, field: string) => {
    if (schemaAt(entity, name) === undefined) throw new ApiError(scopeProblems.unknownField, { name }, { field });
  };
  if (scopeColumn) assertField(scopeColumn, 'scopeColumn');
  if (scopeField !== '*') for (const name of scopeField.split(',')) assertField(name.trim(), 'scopeField');
  if (scopeType !== 5) return;
  const condition = parseCondition(scopeValue ?? '');
  if (!condition) throw new ApiError(scopeProblems.condition, {}, { field: 'scopeValue' });
  for (const name of scopePaths(condition)) assertField(name, 'scopeValue');
}
