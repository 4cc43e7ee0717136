import { defineServerPlugin, route } from '#server';
import { dashboard } from '../contract.ts';
import type DashboardOptions from '../options.ts';
import { FigureBoard } from './figure-board.ts';
import { FigureInvalidation } from './figure-invalidation.ts';

const pollSeconds = 2;

/** Home page: pending work and metrics that other plugins provide. */
export default defineServerPlugin<typeof DashboardOptions>({
  id: 'dashboard',
  title: ['首页', 'Dashboard'],

  setup(context) {
    const board = new FigureBoard(context);
    const invalidation = new FigureInvalidation(context);

    return {
      routes: [
        route(dashboard.figures, async ({ input, principal }) => {
          await invalidation.watch(principal.tenantId);
          return board.read(principal, input.days ?? context.options.days);
        }),
      ],
      tasks: [{ everySeconds: pollSeconds, run: () => invalidation.publish() }],
    };
  },
});
