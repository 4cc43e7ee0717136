import { type SQL, sql } from 'drizzle-orm';
import { Explanations, LogDestination, PersonalData, repositoryOf, route, type ServerContext, textArray } from '#server';
import { ApiLogEntry, ApiLogLine } from '#shared/api-log';
import { ErrorLogEntry, ErrorLogLine } from '#shared/error-log';
import { LoginLogEntry } from '#shared/login-log';
import { PersonalAccessEntry } from '#shared/personal-data';
import { SystemLogEntry, SystemLogLine } from '#shared/system-log';
import { isEmpty, type Language, localize } from '#shared/text';
import { apiLog, errorLog, loginLog, personalLog, usualLog } from '../contract.ts';
import { entryById, withBoundedSearch } from './log-search.ts';
import { PersonalLines } from './personal-lines.ts';

/** Serves the lists and the entries of the logs. */
export function logRoutes({ db, get }: Pick<ServerContext, 'db' | 'get'>) {
  const explanations = get(Explanations);
  const calls = repositoryOf(db, ApiLogEntry, { noTotal: true });
  const callLines = repositoryOf(db, ApiLogLine, { noTotal: true });
  const systemEntries = repositoryOf(db, SystemLogEntry);
  const systemLines = repositoryOf(db, SystemLogLine);
  const errorLines = repositoryOf(db, ErrorLogLine);
  const errors = repositoryOf(db, ErrorLogEntry);
  const logins = repositoryOf(db, LoginLogEntry);
  const personalEntries = repositoryOf(db, PersonalAccessEntry);
  const lines = new PersonalLines(get(PersonalData), explanations);
  const { host, isStored: stored } = get(LogDestination);
  const pages = {
    api: withBoundedSearch(db, ApiLogLine, (input, where: SQL | undefined, options) => callLines.page(input, where, options)),
    usual: withBoundedSearch(db, SystemLogLine, (input, _where, options) => systemLines.page(input, undefined, options)),
    error: withBoundedSearch(db, ErrorLogLine, (input, _where, options) => errorLines.page(input, undefined, options)),
  };

  /** Builds the condition for entries whose title contains a text in either language; the log stores only the Chinese title. */
  function titleMatches(text: string): SQL {
    const { title, method, requestUri } = callLines.table;
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const addresses = JSON.stringify(explanations.titled(text).map(({ method, path }) => `${method} ${path}`));
    return sql`(${title} like ${pattern} or ${addresses}::jsonb ? (${method} || ' ' || ${requestUri}))`;
  }

  /** Returns the title of an entry in a language. A stored Chinese title is translated by the contract, if the call is still served. */
  function titleOf({ title, method, requestUri }: { readonly title: string; readonly method: string; readonly requestUri: string }, language: Language) {
    const callTitle = language === 'zh' ? undefined : explanations.titleOf(method, requestUri);
    return callTitle ? localize(callTitle, language) : title;
  }

  return [
    ...[usualLog, apiLog, errorLog].map((log) => route(log.destination, () => ({ ...(host === undefined ? {} : { host }), stored }))),
    route(usualLog.list, ({ input }) => pages.usual(input)),
    route(usualLog.detail, ({ input }) => entryById(systemEntries, input.id)),
    route(apiLog.list, async ({ input, language }) => {
      const { title, title_like: like = title, ...query } = input;
      const page = await pages.api(query, isEmpty(like) ? undefined : titleMatches(String(like)));
      return { ...page, records: page.records.map((line) => ({ ...line, title: titleOf(line, language) })) };
    }),
    route(apiLog.detail, async ({ input, language }) => {
      const entry = await entryById(calls, input.id);
      return { ...entry, title: titleOf(entry, language) };
    }),
    route(errorLog.list, ({ input }) => pages.error(input)),
    route(errorLog.detail, ({ input }) => entryById(errors, input.id)),
    route(loginLog.list, ({ input }) => logins.page(input)),
    route(personalLog.list, async ({ input, language }) => {
      const { entity, entity_like: like = entity, ...query } = input;
      const where = isEmpty(like) ? undefined : sql`${personalEntries.table.entity} = any(${textArray(lines.named(String(like)))})`;
      const page = await personalEntries.page(query, where);
      return { ...page, records: page.records.map((line) => lines.shown(line, language)) };
    }),
  ];
}
