import { sql } from 'drizzle-orm';
import { type Database, isAdministrator, namedScopeFields, type Principal, queryRows, textArray } from '#server';
import { type Language, localize } from '#shared/text';
import type { ScopeArea } from '../scope-contract.ts';

interface ScopedPageRow {
  readonly code: string;
  readonly name: string;
  readonly nameEn: string | null;
  readonly group: string | null;
  readonly groupEn: string | null;
}

/** Lists the data that the caller has a page of, in the order of the menu. Rows of the platform are the same for all tenants and cannot be limited. */
export async function scopeAreas(db: Database, principal: Principal, language: Language): Promise<ScopeArea[]> {
  const entities = [...db.entities.values()].filter(({ name, owner }) => owner === 'tenant' && db.references.listCodesOf(name).size > 0);
  const codes = [...new Set(entities.flatMap(({ name }) => [...db.references.listCodesOf(name)]))];
  const rows = await queryRows<ScopedPageRow>(
    db,
    sql`select m.code, m.name, m.name_en as "nameEn", p.name as group, p.name_en as "groupEn" from menu m left join menu p on p.id = m.parent_id and p.is_deleted = 0
        where m.is_deleted = 0 and m.category = 1 and m.code = any(${textArray(codes)}) order by coalesce(p.sort, m.sort), m.sort, m.id`,
  );
  const pages = rows.filter(({ code }) => isAdministrator(principal.roles) || principal.codes.has(code));
  const areas = entities.flatMap((entity) => {
    const own = pages.filter(({ code }) => db.references.listCodesOf(entity.name).has(code));
    const [first] = own;
    if (!first) return [];
    return {
      entity: entity.name,
      title: own.map(({ name, nameEn }) => localize([name, nameEn || name], language)).join(language === 'zh' ? '、' : ', '),
      group: localize([first.group ?? '', first.groupEn || first.group || ''], language),
      codes: own.map(({ code }) => code),
      fields: namedScopeFields(db, entity),
    };
  });
  const orderOf = ({ codes: [code] }: ScopeArea) => pages.findIndex((page) => page.code === code);
  return commonFirst(areas.sort((one, other) => orderOf(one) - orderOf(other)));
}

/**
 * Orders the fields of each area: references come first, and among them those that most areas have, since one condition on them serves many areas, then in the order of
 * the pages of their records.
 */
function commonFirst(areas: readonly ScopeArea[]): ScopeArea[] {
  type Field = ScopeArea['fields'][number];
  const targets = areas.flatMap(({ fields }) => [...new Set(fields.filter(({ kind }) => kind === 'reference').map(({ target }) => target))]);
  const shareOf = ({ kind, target }: Field) => (kind === 'reference' ? targets.filter((other) => other === target).length : 0);
  const pageOf = ({ target }: Field) => areas.findIndex(({ entity }) => entity === target);
  const order = (one: Field, other: Field) => shareOf(other) - shareOf(one) || (shareOf(one) > 0 ? pageOf(one) - pageOf(other) : 0);
  return areas.map((area) => ({ ...area, fields: [...area.fields].sort(order) }));
}
