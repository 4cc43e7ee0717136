import { defineServerPlugin, provide } from '#server';
import { ListExports } from '../server-extension.ts';
import { downloadCentreRoutes, screenRoutes, sheetRoutes } from './routes.ts';
import { instantExportRows, Transfers } from './transfers.ts';

const sweepSeconds = 600;
const pollSeconds = 15;

/** Exports and imports of every generic screen, and the download centre of each user. */
export default defineServerPlugin({
  id: 'transfers',
  title: ['导入导出', 'Exports and imports'],
  parameters: [instantExportRows],

  setup(context) {
    const transfers = new Transfers(context);
    return {
      routes: downloadCentreRoutes(context.files, transfers),
      screenRoutes: (screen) => [...screenRoutes(screen, transfers), ...sheetRoutes(screen, transfers)],
      services: [provide(ListExports, transfers)],
      tasks: [
        { everySeconds: sweepSeconds, run: () => transfers.leases.sweep() },
        { everySeconds: pollSeconds, run: () => transfers.runner.poll() },
      ],
      ready: () => transfers.start(),
      stop: () => transfers.runner.stop(),
    };
  },
});
