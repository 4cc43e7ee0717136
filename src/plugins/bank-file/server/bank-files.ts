import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { accountMask, Payout } from '#plugins/payment/contract';
import type { ProviderPayouts } from '#plugins/payment/server-extension';
import {
  ApiError,
  canSeeField,
  decryptStored,
  encryptPlainTexts,
  hasFullAccess,
  type PlainTexts,
  type PluginRoute,
  type Principal,
  problems,
  queryRows,
  type Repository,
  recordChange,
  repositoryOf,
  route,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { BatchResult, ReplyOf } from '#shared/contract';
import type { Language } from '#shared/text';
import { BankFile, BankFileLine, type BankFileRow, bankFile, bankFileLine, bankFileProblems, bankFileStates, lineOutcomes } from '../contract.ts';
import { gatewayName, resultOf } from './bank-file-gateway.ts';
import { type LineResult, type PaymentLine, readResultFile, writePaymentFile } from './csv.ts';

const accounts: PlainTexts = {
  find: (limit) =>
    sql`select id::text as id, account as text from bank_file_line where account <> '' and account not like 'sealed:%' order by id limit ${limit} for update skip locked`,
  store: (rows) =>
    sql`update bank_file_line l set account = e.text, account_mask = e.mask from jsonb_to_recordset(${rows}::jsonb) as e (id bigint, text text, mask text) where l.id = e.id`,
  maskOf: accountMask,
};

type SettledLine = Parameters<typeof resultOf>[0] & { readonly id: string };

/** Bank files: what finance downloads, and the results that come back. */
export class BankFiles {
  readonly rows: Repository<typeof BankFile>;
  readonly lines: Repository<typeof BankFileLine>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly payouts: ProviderPayouts,
  ) {
    const { id } = tableOf(BankFile);
    const { payNo } = tableOf(BankFileLine);
    // A file is for users who may see all of its payouts, as its run is; a line for those who may see its payout.
    this.rows = repositoryOf(db, BankFile, {
      where: () =>
        hasFullAccess(Payout.name)
          ? sql`true`
          : sql`${id} not in (select l.file_id from bank_file_line l join payout p on p.pay_no = l.pay_no where not (${visibleRows(db, Payout.name, 'p')}))`,
    });
    this.lines = repositoryOf(db, BankFileLine, {
      where: () => (hasFullAccess(Payout.name) ? sql`true` : sql`${payNo} in (select p.pay_no from payout p where ${visibleRows(db, Payout.name, 'p')})`),
    });
  }

  /** Returns the file, closing it on the first download; its history keeps each download. */
  async download(id: string): Promise<ReplyOf<typeof bankFile.download>> {
    if (!canSeeField(BankFileLine.name, 'amount') || !canSeeField(Payout.name, 'amount')) throw new ApiError(problems.forbidden);
    const { fileNo } = await this.rows.detail(id);
    const [{ downloads } = { downloads: 0 }] = await queryRows<{ downloads: number }>(
      this.db,
      sql`update bank_file set downloads = downloads + 1, downloaded_time = coalesce(downloaded_time, date_trunc('second', now())) where id = ${id} returning downloads`,
    );
    const lines = await queryRows<PaymentLine>(
      this.db,
      sql`select pay_no as "payNo", name, account, bank, amount::float8 as amount, note_to_payee as remark from bank_file_line where file_id = ${id} order by pay_no`,
    );
    const content = writePaymentFile(lines.map(({ account, ...line }) => ({ ...line, account: decryptStored(this.db, account) })));
    await this.db.sql.execute(sql`update bank_file set digest = ${createHash('sha256').update(content).digest('hex')} where id = ${id} and digest is null`);
    recordChange({ entity: BankFile.name, id, before: { downloads: downloads - 1 }, after: { downloads } });
    return { name: `${fileNo}.csv`, content };
  }

  /** Records the results of a file of the bank. Opens its own transactions. */
  async settleFile({ tenantId }: Principal, id: string, content: string, language: Language): Promise<BatchResult> {
    const results = await readResultFile(content);
    const refused: BatchResult['rows'] = [];
    // The file of the bank can contain lines that are not ours and have no id, so the reply numbers the lines of that file.
    const refuse = (index: number, title: string, error: ApiError) =>
      refused.push({ id: String(index + 2), title, code: error.problem.status, message: error.text(language) });
    const settled = await this.db.write({ tenantId }, async () => {
      const file = await this.lockDownloaded(id);
      const done: SettledLine[] = [];
      for (const [index, one] of results.entries()) {
        const outcome = 'error' in one ? one.error : await this.record(file.id, one.result);
        if (outcome instanceof ApiError) refuse(index, one.payNo, outcome);
        else if (outcome) done.push(outcome);
      }
      return { file, done };
    });
    await this.book(tenantId, settled.file, settled.done);
    return { done: results.length - refused.length, total: results.length, rows: refused };
  }

  /** Records the result of one line. Opens its own transactions. */
  async settleLine({ tenantId }: Principal, id: string, result: Omit<LineResult, 'payNo'>): Promise<void> {
    const { file, outcome } = await this.db.write({ tenantId }, async () => {
      const { fileId, payNo } = await this.lines.detail(id);
      const locked = await this.lockDownloaded(fileId);
      return { file: locked, outcome: await this.record(fileId, { payNo, ...result }) };
    });
    if (outcome instanceof ApiError) throw outcome;
    if (outcome) await this.book(tenantId, file, [outcome]);
  }

  /** Encrypts the accounts that lines of an earlier release have in the clear. */
  async sealAccounts(signal?: AbortSignal): Promise<void> {
    let hasMore = true;
    while (hasMore && !signal?.aborted)
      hasMore = await this.db.asPlatform('encrypts accounts in bank files of all tenants', () => encryptPlainTexts(this.db, accounts));
  }

  private async lockDownloaded(id: string): Promise<BankFileRow> {
    const file = await this.rows.detail(id);
    await this.db.sql.execute(sql`select from bank_file where id = ${id} for update`);
    if (file.state === bankFileStates.collecting) throw new ApiError(bankFileProblems.notDownloaded, { fileNo: file.fileNo });
    return file;
  }

  /** Records a result. Resolves with the line if the result is new, with undefined if it was recorded before, and with an error if it is refused. */
  private async record(fileId: string, { payNo, outcome, amount, serialNo, reason }: LineResult): Promise<SettledLine | ApiError | undefined> {
    const [line] = await queryRows<SettledLine>(
      this.db,
      sql`select id::text as id, pay_no as "payNo", outcome, amount::float8 as amount, serial_no as "serialNo", reason from bank_file_line
          where file_id = ${fileId} and pay_no = ${payNo} for update`,
    );
    if (!line) return new ApiError(bankFileProblems.unknownLine);
    if (amount !== undefined && amount !== line.amount) return new ApiError(bankFileProblems.wrongAmount, { amount: (amount / 100).toFixed(2) });
    if (line.outcome === outcome) return undefined;
    if (line.outcome !== lineOutcomes.open) return new ApiError(bankFileProblems.contradiction);
    await this.db.sql.execute(
      sql`update bank_file_line set outcome = ${outcome}, serial_no = ${serialNo ?? null}, reason = ${reason ?? null}, settled_time = date_trunc('second', now()) where id = ${line.id}`,
    );
    recordChange({ entity: BankFileLine.name, id: line.id, before: { outcome: line.outcome }, after: { outcome } });
    return { ...line, outcome, serialNo: serialNo ?? null, reason: reason ?? null };
  }

  /** Books the results at once; after a crash the payouts are settled when their gateway is queried. */
  private async book(tenantId: string, { bankAccountId }: BankFileRow, lines: readonly SettledLine[]): Promise<void> {
    for (const line of lines) await this.payouts.settle(tenantId, gatewayName(bankAccountId), resultOf(line));
  }
}

const withoutTransaction = { manualTransactions: true } as const;

/** Serves the file for the bank, and takes its results. */
export const settlementRoutes = (files: BankFiles): PluginRoute[] => [
  route(bankFile.download, ({ input }) => files.download(input.id), { noStore: true }),
  route(bankFile.settle, ({ input, principal, language }) => files.settleFile(principal, input.id, input.content, language), withoutTransaction),
  route(
    bankFileLine.markPaid,
    ({ input: { id, serialNo }, principal }) => files.settleLine(principal, id, { outcome: lineOutcomes.paid, serialNo: serialNo ?? undefined }),
    withoutTransaction,
  ),
  route(
    bankFileLine.markFailed,
    ({ input: { id, reason }, principal }) => files.settleLine(principal, id, { outcome: lineOutcomes.failed, reason }),
    withoutTransaction,
  ),
];
