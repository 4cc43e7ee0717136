import { ApiError, crudRoutes, type PluginRoute, problems, route, runBatch, type ServerContext } from '#server';
import { codes } from '#shared/menu-entry';
import { Region, type RegionRow, type RegionSubmit, region } from '../contract.ts';
import { regionMenu } from '../menus.ts';
import { country, type Regions } from './regions.ts';

/** Serves regions: the tree, its levels for pickers, and the calls of BladeX-compatible clients. */
export function regionRoutes(db: ServerContext['db'], regions: Regions): PluginRoute[] {
  const sheets = { calls: region, columns: Region.fields, form: region.submit.input, repository: (covers: boolean) => regions.sheetOf(covers) as never };

  return [
    crudRoutes(region, regions.sheetOf(false), { sheets, search: { fields: ['name', 'code'], subtitle: ['code'] } }),
    route(region.submit, ({ input, principal }) =>
      regions.submit(input as RegionSubmit, { add: principal.codes.has(may.add), edit: principal.codes.has(may.edit) }),
    ),
    route(region.detail, async ({ input }) => {
      const row = input.id ? await regions.tree.detail(input.id) : await regions.byCode(input.code ?? '');
      const parent = await regions.tree.find({ code: row.parentCode });
      return { ...row, parentName: parent?.name ?? null };
    }),
    route(region.remove, async ({ input: { id, ids, ...input }, language }) => {
      if (!ids && !id) throw new ApiError(problems.missingParameter, { name: 'id' });
      const removed = ids ?? [(await regions.byCode(id ?? '')).id];
      return runBatch(db, Region, { input: { ...input, ids: removed }, language }, (some) => regions.tree.remove(some));
    }),
    route(region.lazyTree, async ({ input }) => {
      if (input.codes) return (await regions.byCodes(input.codes.split(',').slice(0, 200))).map((row) => nodeOf(row, pathOf(row), false));
      const rows = await regions.childrenOf(input.parentCode || country);
      const parents = await regions.withChildren(rows.map(({ code }) => code));
      return rows.map((row) => nodeOf(row, row.name, parents.has(row.code)));
    }),
    route(region.select, ({ input }) => regions.childrenOf(input.code || country)),
  ];
}

/** Permission codes of the screen's buttons. */
const may = codes(regionMenu.code);

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
