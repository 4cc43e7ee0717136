import { type PluginRoute, route } from '#server';
import { bankFile, bankFileLine, lineOutcomes } from '../contract.ts';
import type { BankFiles } from './bank-files.ts';

const manual = { manualTransactions: true } as const;

/** Serves the file for the bank, and takes its results. */
export const settlementRoutes = (files: BankFiles): PluginRoute[] => [
  route(bankFile.download, ({ input }) => files.download(input.id), { noStore: true }),
  route(bankFile.settle, ({ input, principal, language }) => files.settleFile(principal, input.id, input.content, language), manual),
  route(
    bankFileLine.markPaid,
    ({ input: { id, serialNo }, principal }) => files.settleLine(principal, id, { outcome: lineOutcomes.paid, serialNo: serialNo ?? undefined }),
    manual,
  ),
  route(bankFileLine.markFailed, ({ input: { id, reason }, principal }) => files.settleLine(principal, id, { outcome: lineOutcomes.failed, reason }), manual),
];
