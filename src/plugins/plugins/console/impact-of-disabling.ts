import type { LocalizedText, TextValues } from '#shared/text';
import { everyTenant, type PluginRow } from '../contract.ts';
import { words } from './messages.ts';

type Say = (words: LocalizedText, values?: TextValues) => string;

/** Describes the effects of disabling a plugin in sentences; effects that do not occur are left out. */
export function impactOfDisabling(
  row: PluginRow,
  rows: readonly PluginRow[],
  /** Scope in which it is disabled; the operator's own tenant by default. */
  { place, tenant }: { readonly place: string | undefined; readonly tenant: string },
  t: Say,
): string {
  const going = [row, ...rows.filter(({ id }) => row.neededBy.some((one) => one.id === id))];
  const listed = (given: readonly LocalizedText[]) => given.map((one) => t(one)).join(t(words.between));
  const pages = going.flatMap((one) => one.pages);
  const jobs = going.flatMap((one) => one.jobs);
  const sum = (of: (one: PluginRow) => number) => going.reduce((total, one) => total + of(one), 0);
  const [checks, rounds] = [sum((one) => one.checks), sum((one) => one.rounds)];
  const isForAll = place === everyTenant;
  const sentences = [
    isForAll ? t(words.forEveryone) : place === undefined ? t(words.forOwn) : t(words.forTenant, { tenant }),
    row.neededBy.length > 0 && t(words.withIt, { plugins: listed(row.neededBy.map(({ title }) => title)) }),
    pages.length > 0 && t(words.pagesGo, { count: pages.length, pages: listed(pages) }),
    jobs.length > 0 && t(words.jobsPause, { jobs: listed(jobs) }),
    isForAll && rounds > 0 && t(words.roundsRest, { count: rounds }),
    isForAll && checks > 0 && t(words.checksRest, { count: checks }),
    t(words.dataStays),
  ];
  return sentences.filter(Boolean).join(t(words.sentences));
}
