import { type Database, forgetPrincipals, problems, Refusal, repositoryOf, type ServerContext, scopedField } from '#server';
import { fieldsAskedBy } from '#shared/condition';
import type { FormOf } from '#shared/contract';
import { conditionIn } from '#shared/scopes';
import { DataScope, dataScope, scopeProblems } from '../contract.ts';
import { pagesOfPlatform } from './menus.ts';

/** The calls of the data scope screen. A scope is checked against the rows it is about when it is written. */
export function serveDataScopes({ serve, serveCrud, db }: ServerContext): void {
  const pages = pagesOfPlatform(db);
  const changed = () => forgetPrincipals(db, { everyone: true });
  const scopes = repositoryOf(db, DataScope, {
    async beforeSave(form, before) {
      const { code } = await pages.detail(String(form.menuId ?? before?.menuId)).catch(() => {
        throw new Refusal(problems.wrongParameter, { name: 'menuId' }, { field: 'menuId' });
      });
      check(db, { ...before, ...form }, code);
    },
    saved: changed,
    removed: changed,
  });

  serveCrud(dataScope, scopes);
  serve(dataScope.pages, ({ input }) => pages.tree(input));
  serve(dataScope.entities, () =>
    [...db.entities.values()].map((entity) => ({
      id: entity.name,
      name: entity.name,
      fields: Object.keys(entity.fields).filter((field) => scopedField(entity, field)),
    })),
  );
}

type Scope = Partial<FormOf<typeof DataScope>>;

function check(db: Database, { scopeClass, scopeColumn, scopeField = '*', scopeType, scopeValue }: Scope, code: string): void {
  const entity = db.entities.get(scopeClass || code);
  if (!entity) throw new Refusal(scopeProblems.unknownEntity, {}, { field: 'scopeClass' });
  const refuse = (name: string, field: string) => {
    if (scopedField(entity, name) === undefined) throw new Refusal(scopeProblems.unknownField, { name }, { field });
  };
  if (scopeColumn) refuse(scopeColumn, 'scopeColumn');
  if (scopeField !== '*') for (const name of scopeField.split(',')) refuse(name.trim(), 'scopeField');
  if (scopeType !== 5) return;
  const condition = conditionIn(scopeValue ?? '');
  if (!condition) throw new Refusal(scopeProblems.condition, {}, { field: 'scopeValue' });
  for (const name of fieldsAskedBy(condition)) refuse(name, 'scopeValue');
}
