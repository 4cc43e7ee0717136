import type { LocalizedText, TextValues } from '#shared/text';
import { everyTenant, type PluginRow } from '../contract.ts';
import { pluginMessages } from './messages.ts';

type Translate = (text: LocalizedText, values?: TextValues) => string;

/** Describes the effects of disabling a plugin in sentences; effects that do not occur are left out. */
export function impactOfDisabling(
  row: PluginRow,
  rows: readonly PluginRow[],
  /** Scope in which it is disabled; the operator's own tenant by default. */
  { scope, tenant }: { readonly scope: string | undefined; readonly tenant: string },
  t: Translate,
): string {
  const affected = [row, ...rows.filter(({ id }) => row.neededBy.some((one) => one.id === id))];
  const joinTexts = (texts: readonly LocalizedText[]) => texts.map((one) => t(one)).join(t(pluginMessages.listSeparator));
  const pages = affected.flatMap((one) => one.pages);
  const jobs = affected.flatMap((one) => one.jobs);
  const sum = (of: (one: PluginRow) => number) => affected.reduce((total, one) => total + of(one), 0);
  const [checks, rounds] = [sum((one) => one.checks), sum((one) => one.rounds)];
  const isForAll = scope === everyTenant;
  const sentences = [
    isForAll ? t(pluginMessages.inAllTenants) : scope === undefined ? t(pluginMessages.inOwnTenant) : t(pluginMessages.inTenant, { tenant }),
    row.neededBy.length > 0 && t(pluginMessages.alsoDisables, { plugins: joinTexts(row.neededBy.map(({ title }) => title)) }),
    pages.length > 0 && t(pluginMessages.pagesRemoved, { count: pages.length, pages: joinTexts(pages) }),
    jobs.length > 0 && t(pluginMessages.jobsPause, { jobs: joinTexts(jobs) }),
    isForAll && rounds > 0 && t(pluginMessages.tasksPause, { count: rounds }),
    isForAll && checks > 0 && t(pluginMessages.checksStop, { count: checks }),
    t(pluginMessages.dataStays),
  ];
  return sentences.filter(Boolean).join(t(pluginMessages.sentenceSeparator));
}
