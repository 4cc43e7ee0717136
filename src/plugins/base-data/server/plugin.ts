import { crudRoutes, defineServerPlugin, nodesOf, route, withVisibleLabels } from '#server';
import { matchesPatterns } from '#shared/link-patterns';
import { advertiser, Category, category, city, platform, taskGrade } from '../contract.ts';
import { industries } from '../industry-contract.ts';
import { advertiserMenu, categoryMenu, cityMenu, platformMenu, taskGradeMenu } from '../menus.ts';
import { personalData } from './personal-data.ts';
import {
  advertiserFilter,
  advertiserNames,
  advertisersOf,
  categoriesOf,
  citiesOf,
  pickerRows,
  platformsOf,
  taskGradesOf,
  withParentId,
} from './repositories.ts';

/** Base data of tasks: advertisers, platforms, categories, grades and cities. */
export default defineServerPlugin({
  id: 'base-data',
  title: ['基础数据', 'Base data'],
  dependencies: ['organization', 'region'],
  dictionaries: [industries],
  personalData,
  menus: [advertiserMenu, platformMenu, categoryMenu, taskGradeMenu, cityMenu],
  setup(context) {
    const names = advertiserNames(context);
    const advertisers = advertisersOf(context);
    const platforms = platformsOf(context);
    const categories = categoriesOf(context);
    const grades = taskGradesOf(context);
    const cities = citiesOf(context);
    return {
      routes: [
        crudRoutes(advertiser, advertisers, {
          search: { fields: ['name', 'short_name', 'contact_name', 'contact_phone'], subtitle: ['contact_name'], actions: { advertiser_edit: true } },
        }),
        route(advertiser.list, ({ input }) => advertisers.page(advertiserFilter(input))),
        route(advertiser.select, ({ input }) => names.page(input, input.ids ? undefined : pickerRows(names.table, {}))),
        crudRoutes(platform, platforms, { search: { fields: ['name', 'code'], subtitle: ['code'], actions: { platform_edit: true } } }),
        route(platform.select, ({ input }) => platforms.list(pickerRows(platforms.table, input))),
        route(platform.match, async ({ input }) =>
          (await platforms.list(pickerRows(platforms.table, {}))).filter(({ link_pattern }) => matchesPatterns(link_pattern ?? '', input.link)),
        ),
        crudRoutes(category, categories, { search: { fields: ['name'], actions: { category_edit: true } } }),
        route(category.submit, ({ input }) => categories.save(withParentId(input))),
        route(category.page, ({ input }) => categories.page(input)),
        route(category.choices, async ({ input }) =>
          nodesOf(withVisibleLabels(Category, await categories.list(pickerRows(categories.table, input)), 'name'), 'name'),
        ),
        crudRoutes(taskGrade, grades, { search: { fields: ['name'], actions: { task_grade_edit: true } } }),
        route(taskGrade.select, ({ input }) => grades.list(pickerRows(grades.table, input))),
        crudRoutes(city, cities, { search: { fields: ['name', 'province'], subtitle: ['province'], actions: { city_edit: true } } }),
        route(city.select, ({ input }) => cities.list(pickerRows(cities.table, input))),
      ],
    };
  },
});
