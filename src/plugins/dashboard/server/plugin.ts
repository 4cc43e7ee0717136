import { defineServerPlugin } from '#server';
import { dashboard, presetSpan } from '../contract.ts';
import { FigureBoard } from './figure-board.ts';
import { FigureNews } from './figure-news.ts';

const lookSeconds = 2;

/** The first page: what waits for whoever reads it, and how the business goes, in the figures other plugins give. */
export default defineServerPlugin({
  id: 'dashboard',
  title: ['首页', 'Dashboard'],

  routes(context) {
    const board = new FigureBoard(context);
    const news = new FigureNews(context);
    context.serve(dashboard.figures, async ({ input, principal }) => {
      await news.watch(principal.tenantId);
      return board.read(principal, input.days ?? presetSpan);
    });
    context.every(lookSeconds, () => news.tell());
  },
});
