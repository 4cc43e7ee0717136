import { eq, inArray, sql } from 'drizzle-orm';
import { ApiError, crudRoutes, type PluginRoute, problems, route, runBatch, type ServerContext, type TreeRepository, tableOf, treeRepositoryOf } from '#server';
import { codes } from '#shared/menu-entry';
import { Region, type RegionRow, type RegionSubmit, region, regionProblems } from '../contract.ts';
import { regionMenu } from '../menus.ts';

const rows = tableOf(Region);
export const country = '00';
const levels = ['province', 'city', 'district', 'town', 'village'] as const;

/** Serves regions by row id for the tree, and by code for BladeX-compatible clients. */
export class Regions {
  readonly tree: TreeRepository<typeof Region, RegionSubmit>;

  constructor(private readonly db: ServerContext['db']) {
    this.tree = treeRepositoryOf<typeof Region, RegionSubmit>(db, Region, {
      unique: [{ fields: ['code'], problem: regionProblems.taken }],
      noParent: regionProblems.noParent,
      complete(form, { before }) {
        if (before) assertNotMoved(form, before);
        return {};
      },
      saved: (after, before) => (before && before.name !== after.name ? this.updateNameInDescendants(after) : undefined),
    });
  }

  /** Returns a repository for imported sheets, whose rows name their parent by code; `overwrites` updates existing regions. */
  sheetOf(overwrites: boolean): TreeRepository<typeof Region, RegionSubmit> {
    const save = async (form: RegionSubmit) => {
      const existing = overwrites ? await this.tree.find({ code: form.code }) : undefined;
      if (!existing) return this.submit(form, { add: true, edit: false });
      const { parentCode: _, parentId: __, ...values } = form;
      return this.tree.save({ ...values, id: existing.id });
    };
    return Object.assign(Object.create(this.tree), { save });
  }

  async byCode(code: string): Promise<RegionRow> {
    const row = await this.tree.find({ code });
    if (!row) throw new ApiError(problems.notFound);
    return row;
  }

  /** Saves a form. With `parentCode` it uses codes, as BladeX-compatible clients do: `code` identifies the region whatever its `id`. Codes are also used if no region has the `id`. */
  async submit(form: RegionSubmit, granted: { readonly add: boolean; readonly edit: boolean }): Promise<RegionRow> {
    const { parentCode, id, ...values } = form;
    const isById = id !== undefined && parentCode === undefined && (form.code === undefined || (await this.tree.find({ id })) !== undefined);
    if (isById) return this.tree.save({ ...values, id });
    const existing = await this.tree.find({ code: form.code });
    if (existing && (id !== undefined || parentCode !== undefined) && granted.edit) {
      if (parentCode && parentCode !== existing.parentCode) throw new ApiError(regionProblems.fixed, {}, { field: 'parentCode' });
      return this.tree.save({ ...values, id: existing.id, parentId: existing.parentId });
    }
    if (!granted.add) throw new ApiError(problems.forbidden);
    if (id !== undefined && parentCode === undefined) throw new ApiError(problems.notFound);
    const parent = await this.parentOf(form);
    return this.tree.save({ ...values, parentId: parent.id });
  }

  /** Lists the children of a code. */
  childrenOf(code: string): Promise<RegionRow[]> {
    return this.tree.list(eq(rows.parentCode, code));
  }

  byCodes(codes: readonly string[]): Promise<RegionRow[]> {
    return this.tree.list(inArray(rows.code, [...codes]));
  }

  /** Returns those of the codes that have children. */
  async withChildren(codes: readonly string[]): Promise<Set<string>> {
    if (codes.length === 0) return new Set();
    const found = await this.db.sql
      .selectDistinct({ code: rows.parentCode })
      .from(rows)
      .where(sql`${inArray(rows.parentCode, [...codes])} and ${rows.isDeleted} = 0`);
    return new Set(found.map(({ code }) => code));
  }

  /** Finds the parent of a new region: the named one, otherwise the region with the longest code prefix, otherwise the country. */
  private async parentOf({ parentCode, parentId, code }: RegionSubmit): Promise<RegionRow> {
    const named = parentCode ? { code: parentCode } : parentId && parentId !== '0' ? { id: parentId } : undefined;
    if (named) {
      const parent = await this.tree.find(named);
      if (!parent) throw new ApiError(regionProblems.noParent);
      return assertValidCode(parent, code);
    }
    const prefixes = Array.from({ length: Math.max(0, code.length - 2) }, (_, index) => code.slice(0, index + 2));
    const above = prefixes.length > 0 ? await this.byCodes(prefixes) : [];
    const [longest] = above.sort((one, other) => other.code.length - one.code.length);
    return assertValidCode(longest ?? (await this.byCode(country)), code);
  }

  /** Updates the region's name in all its descendants. */
  private async updateNameInDescendants({ code, name, regionLevel }: RegionRow): Promise<void> {
    const level = levels[regionLevel - 1];
    if (level) await this.db.sql.execute(sql`update region set ${sql.raw(`${level}_name`)} = ${name} where ${sql.raw(`${level}_code`)} = ${code}`);
  }
}

function assertValidCode(parent: RegionRow, code: string): RegionRow {
  if (parent.regionLevel >= levels.length) throw new ApiError(regionProblems.tooDeep);
  if (parent.code !== country && (!code.startsWith(parent.code) || code === parent.code))
    throw new ApiError(regionProblems.codeOutsideParent, { code: parent.code }, { field: 'code' });
  return parent;
}

function assertNotMoved(form: RegionSubmit, before: RegionRow): void {
  const moved = form.parentId !== undefined && form.parentId !== null && form.parentId !== before.parentId;
  if (moved || (form.code !== undefined && form.code !== before.code)) throw new ApiError(regionProblems.fixed, {}, { field: 'code' });
}

/** Serves regions: the tree, its levels for pickers, and the calls of BladeX-compatible clients. */
export function regionRoutes(db: ServerContext['db'], regions: Regions): PluginRoute[] {
  const sheets = {
    calls: region,
    columns: Region.fields,
    form: region.submit.input,
    repository: (overwrites: boolean) => regions.sheetOf(overwrites) as never,
  };

  return [
    crudRoutes(region, regions.sheetOf(false), { sheets, search: { fields: ['name', 'code'], subtitle: ['code'] } }),
    route(region.submit, ({ input, principal }) =>
      regions.submit(input as RegionSubmit, { add: principal.codes.has(permissionCodes.add), edit: principal.codes.has(permissionCodes.edit) }),
    ),
    route(region.detail, async ({ input }) => {
      const row = input.id ? await regions.tree.detail(input.id) : await regions.byCode(input.code ?? '');
      const parent = await regions.tree.find({ code: row.parentCode });
      return { ...row, parentName: parent?.name ?? null };
    }),
    route(region.remove, async ({ input: { id, ids, ...input }, language }) => {
      // BladeX-compatible clients send a code as `id`.
      if (!ids && !id) throw new ApiError(problems.missingParameter, { name: 'id' });
      const removed = ids ?? [(await regions.byCode(id ?? '')).id];
      return runBatch(db, Region, { input: { ...input, ids: removed }, language }, (some) => regions.tree.remove(some));
    }),
    route(region.lazyTree, async ({ input }) => {
      if (input.codes) return (await regions.byCodes(input.codes.split(',').slice(0, 200))).map((row) => nodeOf(row, pathOf(row), false));
      const children = await regions.childrenOf(input.parentCode || country);
      const parents = await regions.withChildren(children.map(({ code }) => code));
      return children.map((row) => nodeOf(row, row.name, parents.has(row.code)));
    }),
    route(region.select, ({ input }) => regions.childrenOf(input.code || country)),
  ];
}

/** Permission codes of the screen's buttons. */
const permissionCodes = codes(regionMenu.code);

const nodeOf = ({ code, parentCode }: RegionRow, title: string, hasChildren: boolean) => ({
  id: code,
  parentId: parentCode,
  title,
  value: code,
  key: code,
  hasChildren,
});

/** Path of a region with its ancestors: `广东省 / 广州市 / 天河区`. */
const pathOf = ({ name, provinceName, cityName, districtName, townName, villageName }: RegionRow) =>
  [provinceName, cityName, districtName, townName, villageName].filter(Boolean).join(' / ') || name;
