import { type SQL, sql } from 'drizzle-orm';
import { defineServerPlugin, Explanations, repositoryOf, route } from '#server';
import { ApiLogEntry, ApiLogLine } from '#shared/api-log';
import { ErrorLogEntry } from '#shared/error-log';
import { LoginLogEntry } from '#shared/login-log';
import { SystemLogEntry, SystemLogLine } from '#shared/system-log';
import { isEmpty, type Language, localize } from '#shared/text';
import { apiLog, errorLog, loginLog, usualLog } from '../contract.ts';
import { apiLogMenu, errorLogMenu, loginLogMenu, usualLogMenu } from '../menus.ts';

/** Logs: calls, errors, sign-ins and system messages, for administrators. */
export default defineServerPlugin({
  id: 'log',
  title: ['日志', 'Logs'],
  menus: [usualLogMenu, apiLogMenu, errorLogMenu, loginLogMenu],

  setup({ db, get }) {
    const explanations = get(Explanations);
    const calls = repositoryOf(db, ApiLogEntry, { noTotal: true });
    const callLines = repositoryOf(db, ApiLogLine, { noTotal: true });
    const systemEntries = repositoryOf(db, SystemLogEntry);
    const systemLines = repositoryOf(db, SystemLogLine);
    const errors = repositoryOf(db, ErrorLogEntry);
    const logins = repositoryOf(db, LoginLogEntry);

    /** Matches a title in either language; the log stores only the Chinese one. */
    function titleMatches(text: string): SQL {
      const { title, method, requestUri } = callLines.table;
      const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
      const addresses = JSON.stringify(explanations.titled(text).map(({ method, path }) => `${method} ${path}`));
      return sql`(${title} like ${pattern} or ${addresses}::jsonb ? (${method} || ' ' || ${requestUri}))`;
    }

    /** Translates the stored Chinese title through the contract while the call is still served. */
    function titleOf({ title, method, requestUri }: { readonly title: string; readonly method: string; readonly requestUri: string }, language: Language) {
      const callTitle = language === 'zh' ? undefined : explanations.titleOf(method, requestUri);
      return callTitle ? localize(callTitle, language) : title;
    }

    return {
      routes: [
        route(usualLog.list, ({ input }) => systemLines.page(input)),
        route(usualLog.detail, ({ input }) => systemEntries.detail(input.id)),
        route(apiLog.list, async ({ input, language }) => {
          const { title, title_like: like = title, ...query } = input;
          const page = await callLines.page(query, isEmpty(like) ? undefined : titleMatches(String(like)));
          return { ...page, records: page.records.map((line) => ({ ...line, title: titleOf(line, language) })) };
        }),
        route(apiLog.detail, async ({ input, language }) => {
          const entry = await calls.detail(input.id);
          return { ...entry, title: titleOf(entry, language) };
        }),
        route(errorLog.list, ({ input }) => errors.page(input)),
        route(errorLog.detail, ({ input }) => errors.detail(input.id)),
        route(loginLog.list, ({ input }) => logins.page(input)),
      ],
    };
  },
});
