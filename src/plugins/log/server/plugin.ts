import { sql } from 'drizzle-orm';
import { defineServerPlugin, repositoryOf } from '#server';
import { ApiLogEntry, ApiLogLine } from '#shared/api-log';
import { ErrorLogEntry } from '#shared/error-log';
import { LoginLogEntry } from '#shared/login-log';
import { UsualLogEntry, UsualLogLine } from '#shared/usual-log';
import { apiLog, errorLog, loginLog, usualLog } from '../contract.ts';
import { apiLogMenu, errorLogMenu, loginLogMenu, usualLogMenu } from '../menus.ts';

/** Logs: what was asked, what went wrong and who has signed in, for whoever keeps the system running. */
export default defineServerPlugin({
  id: 'log',
  title: ['日志', 'Logs'],
  menus: [usualLogMenu, apiLogMenu, errorLogMenu, loginLogMenu],

  routes({ serve, db }) {
    // No count of its rows is kept: a condition has them counted.
    const counted = { where: () => sql`true` };
    const calls = repositoryOf(db, ApiLogEntry, counted);
    const callLines = repositoryOf(db, ApiLogLine, counted);
    const notes = repositoryOf(db, UsualLogEntry);
    const noteLines = repositoryOf(db, UsualLogLine);
    const errors = repositoryOf(db, ErrorLogEntry);
    const logins = repositoryOf(db, LoginLogEntry);

    serve(usualLog.list, ({ input }) => noteLines.page(input));
    serve(usualLog.detail, ({ input }) => notes.detail(input.id));
    serve(apiLog.list, ({ input }) => callLines.page(input));
    serve(apiLog.detail, ({ input }) => calls.detail(input.id));
    serve(errorLog.list, ({ input }) => errors.page(input));
    serve(errorLog.detail, ({ input }) => errors.detail(input.id));
    serve(loginLog.list, ({ input }) => logins.page(input));
  },
});
