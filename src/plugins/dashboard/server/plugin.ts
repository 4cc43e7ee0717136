import { defineServerPlugin } from '#server';
import { dashboard } from '../contract.ts';
import type DashboardOptions from '../options.ts';
import { FigureBoard } from './figure-board.ts';
import { FigureNews } from './figure-news.ts';

const lookSeconds = 2;

/** The first page: what waits for whoever reads it, and how the business goes, in the figures other plugins give. */
export default defineServerPlugin<typeof DashboardOptions>({
  id: 'dashboard',
  title: ['首页', 'Dashboard'],

  routes(context) {
    const board = new FigureBoard(context);
    const news = new FigureNews(context);
    context.serve(dashboard.figures, async ({ input, principal }) => {
      await news.watch(principal.tenantId);
      return board.read(principal, input.days ?? context.options.days);
    });
    context.every(lookSeconds, () => news.tell());
  },
});
