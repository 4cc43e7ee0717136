import { defineServerPlugin, namedAsSeen, nodesOf } from '#server';
import { fitsPatterns } from '#shared/link-patterns';
import { advertiser, Category, category, city, platform, taskGrade } from '../contract.ts';
import { advertiserMenu, categoryMenu, cityMenu, platformMenu, taskGradeMenu } from '../menus.ts';
import { advertiserNames, advertisersOf, withoutClaims } from './advertisers.ts';
import { categoriesOf, placed } from './categories.ts';
import { citiesOf } from './cities.ts';
import { picked } from './picked.ts';
import { platformsOf } from './platforms.ts';
import { taskGradesOf } from './task-grades.ts';

/** Base data of tasks: advertisers, platforms, categories, grades and cities. */
export default defineServerPlugin({
  id: 'base-data',
  title: ['基础数据', 'Base data'],
  dependencies: ['organization', 'region'],
  menus: [advertiserMenu, platformMenu, categoryMenu, taskGradeMenu, cityMenu],

  routes(context) {
    const { serve, serveCrud } = context;

    const names = advertiserNames(context);
    const advertisers = advertisersOf(context);
    serveCrud(advertiser, advertisers);
    serve(advertiser.list, ({ input }) => advertisers.page(withoutClaims(input)));
    serve(advertiser.select, ({ input }) => names.page(input, input.ids ? undefined : picked(names.table, {})));

    const platforms = platformsOf(context);
    serveCrud(platform, platforms);
    serve(platform.select, ({ input }) => platforms.list(picked(platforms.table, input)));
    serve(platform.match, async ({ input }) =>
      (await platforms.list(picked(platforms.table, {}))).filter(({ link_pattern }) => fitsPatterns(link_pattern ?? '', input.link)),
    );

    const categories = categoriesOf(context);
    serveCrud(category, categories);
    serve(category.submit, ({ input }) => categories.save(placed(input)));
    serve(category.page, ({ input }) => categories.page(input));
    serve(category.choices, async ({ input }) => nodesOf(namedAsSeen(Category, await categories.list(picked(categories.table, input)), 'name'), 'name'));

    const grades = taskGradesOf(context);
    serveCrud(taskGrade, grades);
    serve(taskGrade.select, ({ input }) => grades.list(picked(grades.table, input)));

    const cities = citiesOf(context);
    serveCrud(city, cities);
    serve(city.select, ({ input }) => cities.list(picked(cities.table, input)));
  },
});
