import { AsyncLocalStorage } from 'node:async_hooks';
import type { Driver } from '../../src/server/data/database/session.ts';
import type { Database } from '../../src/server/data/index.ts';

const sent = new AsyncLocalStorage<string[]>();
const watched = new WeakSet<Driver>();

/** Returns the statements that this work sends, without those of jobs that run beside it and of logs, which follow requests in batches. */
export async function sentStatements(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  watch((db as unknown as { driver: Driver }).driver);
  const texts: string[] = [];
  await sent.run(texts, work);
  return texts;
}

function watch(driver: Driver): void {
  if (watched.has(driver)) return;
  watched.add(driver);
  const { use } = driver;
  driver.use = (task) => {
    const texts = sent.getStore();
    if (!texts) return use.call(driver, task as never) as never;
    return use.call(driver, async (session) => {
      const { query } = session;
      session.query = (identity, text, ...rest) => {
        if (!/insert into \w+_log\b/.test(text)) texts.push(text);
        return query.call(session, identity, text, ...rest);
      };
      try {
        return await task(session);
      } finally {
        session.query = query;
      }
    }) as never;
  };
}
