import type { LocalizedText, TextValues } from '#shared/text';
import { everyTenant, type PluginRow } from '../contract.ts';
import { pluginMessages } from './messages.ts';

type Translate = (text: LocalizedText, values?: TextValues) => string;

/** Describes the effects of disabling a plugin in sentences; effects that do not occur are left out. */
export function impactOfDisabling(
  row: PluginRow,
  rows: readonly PluginRow[],
  /** Scope in which it is disabled; the operator's own tenant by default. */
  { place, tenant }: { readonly place: string | undefined; readonly tenant: string },
  t: Translate,
): string {
  const affected = [row, ...rows.filter(({ id }) => row.neededBy.some((one) => one.id === id))];
  const joinTexts = (texts: readonly LocalizedText[]) => texts.map((one) => t(one)).join(t(pluginMessages.between));
  const pages = affected.flatMap((one) => one.pages);
  const jobs = affected.flatMap((one) => one.jobs);
  const sum = (of: (one: PluginRow) => number) => affected.reduce((total, one) => total + of(one), 0);
  const [checks, rounds] = [sum((one) => one.checks), sum((one) => one.rounds)];
  const isForAll = place === everyTenant;
  const sentences = [
    isForAll ? t(pluginMessages.forEveryone) : place === undefined ? t(pluginMessages.forOwn) : t(pluginMessages.forTenant, { tenant }),
    row.neededBy.length > 0 && t(pluginMessages.withIt, { plugins: joinTexts(row.neededBy.map(({ title }) => title)) }),
    pages.length > 0 && t(pluginMessages.pagesGo, { count: pages.length, pages: joinTexts(pages) }),
    jobs.length > 0 && t(pluginMessages.jobsPause, { jobs: joinTexts(jobs) }),
    isForAll && rounds > 0 && t(pluginMessages.roundsRest, { count: rounds }),
    isForAll && checks > 0 && t(pluginMessages.checksRest, { count: checks }),
    t(pluginMessages.dataStays),
  ];
  return sentences.filter(Boolean).join(t(pluginMessages.sentences));
}
