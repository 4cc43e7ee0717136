import { setTimeout as pause } from 'node:timers/promises';
import { crudRoutes, Deployment, defineServerPlugin, nodesOf, repositoryOf, route, treeRepositoryOf } from '#server';
import { Exhibit, exhibit, exhibitMenu, Place, place, placeMenu } from '../contract.ts';
import { regions, Specimen, specimen, specimenDrawerMenu, specimenMenu, specimenPageMenu } from '../specimen.ts';
import { shelf, shelfMenu, visitorMenu, visitors } from '../tables.ts';
import { causeUncaughtError, uncaughtErrorCounts } from '../uncaught-errors.ts';

const audit = {
  createUser: null,
  createDept: null,
  updateUser: null,
  updateTime: null,
  createTime: '2026-01-01 08:00:00',
  status: 1,
  isDeleted: 0 as const,
  version: '1',
};
const crowd = Array.from({ length: 10_000 }, (_, index) => ({
  ...audit,
  id: String(index + 1),
  name: `访客 ${index + 1}`,
  visits: index % 97,
  spent: index * 137,
  level: index % 5 === 0 ? (2 as const) : (1 as const),
}));

/** The gallery: screens with every kind of field and table, for journeys. */
export default defineServerPlugin({
  id: 'gallery',
  title: ['展厅', 'Gallery'],
  menus: [exhibitMenu, placeMenu, shelfMenu, visitorMenu, specimenMenu, specimenDrawerMenu, specimenPageMenu],

  setup({ db, get }) {
    const places = treeRepositoryOf(db, Place);

    return {
      routes: [
        crudRoutes(exhibit, repositoryOf(db, Exhibit)),
        crudRoutes(place, places),
        crudRoutes(shelf, places),
        route(visitors, () => crowd),
        crudRoutes(specimen, repositoryOf(db, Specimen, { unique: [{ fields: ['code'] }] })),
        route(regions, ({ input }) => (input.codes ? regionsNamed(input.codes.split(',')) : regionsBelow(input.parentCode))),
        route(place.tree, async () => nodesOf(await places.list(), 'name')),
        route(uncaughtErrorCounts, async () => Object.fromEntries(await get(Deployment).strayErrors())),
        route(causeUncaughtError, async ({ input: { kind } }) => {
          if (kind === 'rejection') void Promise.reject(new Error('A promise failed unheard.'));
          else setTimeout(fail, 100);
          await pause(1000);
          return null;
        }),
      ],
    };
  },
});

function fail(): never {
  throw new Error('A timer failed.');
}

const known = [
  { code: '11', name: '北京市', parent: '', hasChildren: true },
  { code: '31', name: '上海市', parent: '', hasChildren: true },
  { code: '1101', name: '东城区', parent: '11', hasChildren: false },
  { code: '1102', name: '西城区', parent: '11', hasChildren: false },
  { code: '3101', name: '黄浦区', parent: '31', hasChildren: false },
];

const shown = ({ parent: _, ...region }: (typeof known)[number]) => region;
const regionsBelow = (parentCode = '') => known.filter(({ parent }) => parent === parentCode).map(shown);
const regionsNamed = (codes: readonly string[]) => known.filter(({ code }) => codes.includes(code)).map(shown);
