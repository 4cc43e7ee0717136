import { defineServerPlugin } from '#server';
import { ListExports } from '../server-extension.ts';
import { serveCentre, serveScreen } from './routes.ts';
import { serveSheets } from './sheet-routes.ts';
import { exportRowsWaitedFor, Transfers } from './transfers.ts';

const sweepSeconds = 600;
const pollSeconds = 15;

/** Exports and imports of every generic screen, and the download centre of each user. */
export default defineServerPlugin({
  id: 'transfers',
  title: ['导入导出', 'Exports and imports'],
  parameterDeclarations: [exportRowsWaitedFor],

  routes(context) {
    const { every, onReady, onScreen, onStop, share } = context;
    const transfers = new Transfers(context);
    share(ListExports, transfers.orders);
    serveCentre(context, transfers);
    onScreen((screen) => {
      serveScreen(screen, transfers);
      serveSheets(screen, transfers);
    });
    every(sweepSeconds, () => transfers.sweep());
    every(pollSeconds, () => transfers.runner.poll());
    onReady(() => transfers.start());
    onStop(() => transfers.runner.stop());
  },
});
