import { defineServerPlugin, repositoryOf, route } from '#server';
import { Award, loyalty } from '../contract.ts';
import { loyaltyMenu } from '../menus.ts';
import type LoyaltyOptions from '../options.ts';
import { TaskPoints } from '../task-points.ts';
import { Awards } from './awards.ts';

/** Loyalty: points for people whose work was approved. */
export default defineServerPlugin<typeof LoyaltyOptions>({
  id: 'loyalty',
  title: ['积分', 'Loyalty points'],
  dependencies: ['task'],
  menus: [loyaltyMenu],

  extensions: [TaskPoints],
  setup({ db, options }) {
    const awards = new Awards(db, options.pointsPerYuan);
    const rows = repositoryOf(db, Award);

    return {
      routes: [
        route(loyalty.list, ({ input }) => rows.page(input)),
        route(loyalty.summary, () => awards.summary()),
        route(loyalty.settle, ({ input }) => awards.settle(input.ids)),
      ],
      processors: {
        'loyalty:settle': {
          title: ['结算积分', 'Settle points'],
          help: ['为已通过且尚未结算的提交发放积分', 'Gives points for approved work that has none yet'],
          schedules: [{ key: 'nightly', title: ['每晚结算积分', 'Settle points each night'], cron: '0 30 2 * * ?' }],
          async run({ write, log }) {
            const { awards: count, points } = await write(() => awards.settle());
            log('info', `${points} points for ${count} pieces of work`);
            return String(points);
          },
        },
      },
    };
  },
});
