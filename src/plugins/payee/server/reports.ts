import { type SQL, sql } from 'drizzle-orm';
import { entryKinds, ledgerAccounts, payoutStates } from '#plugins/payment/contract';
import { ApiError, type Principal, problems, queryRows, type Repository, recordChange, repositoryOf, type ServerContext } from '#server';
import {
  type FilePart,
  PlatformReport,
  type PlatformReportRow,
  payeeStates,
  periodKinds,
  ReportedPayee,
  ReportFormat,
  reportProblems,
  reportStates,
  rowChanges,
  rowProblems,
} from '../contract.ts';
import { columnsOf, csvLines, type SnapshotRow, standardColumns } from './report-file.ts';
import { assertWholePayments, wholePaymentsOnly } from './whole-payments.ts';

const partSize = 2000;
/** First day of a quarter, `2026-Q3`, as SQL. */
const startOf = (quarter: string): SQL => sql`make_date(${Number(quarter.slice(0, 4))}, ${Number(quarter.slice(6)) * 3 - 2}, 1)`;
const endOf = (quarter: string): SQL => sql`(${startOf(quarter)} + interval '3 months')`;

/** Quarterly reports of platforms on the identity and income of payees. */
export class Reports {
  readonly rows: Repository<typeof PlatformReport>;
  readonly payees: Repository<typeof ReportedPayee>;
  readonly formats: Repository<typeof ReportFormat>;

  constructor(private readonly db: ServerContext['db']) {
    this.rows = repositoryOf(db, PlatformReport, wholePaymentsOnly);
    this.payees = repositoryOf(db, ReportedPayee, wholePaymentsOnly);
    this.formats = repositoryOf(db, ReportFormat, {
      unique: [{ fields: ['validFrom'] }],
      beforeSave: ({ columns }) => {
        if (columns !== undefined) columnsOf(columns);
      },
    });
  }

  /** Compiles a quarter: its draft again, or a new version whose rows name their differences to the last one that was submitted. */
  async compile({ userId, tenantId }: Principal, quarter: string): Promise<PlatformReportRow> {
    assertWholePayments();
    await this.lockQuarter(tenantId, quarter);
    const [{ hasBegun } = { hasBegun: false }] = await queryRows<{ hasBegun: boolean }>(this.db, sql`select ${startOf(quarter)} <= current_date as "hasBegun"`);
    if (!hasBegun) throw new ApiError(reportProblems.futureQuarter, {}, { field: 'quarter' });
    const [last] = await queryRows<{ id: string; versionNo: number; state: number }>(
      this.db,
      sql`select id::text as id, version_no as "versionNo", state from platform_report where quarter = ${quarter} order by version_no desc limit 1`,
    );
    const draft = last?.state === reportStates.draft ? last.id : await this.add(quarter, (last?.versionNo ?? 0) + 1, userId);
    await this.db.sql.execute(sql`delete from platform_report_row where report_id = ${draft}`);
    await this.takeSnapshot(draft, quarter);
    await this.addUp(draft, quarter, userId);
    return this.rows.detail(draft);
  }

  /** Marks a draft as submitted, once it is complete and equals the ledger. */
  async submit({ userId, tenantId }: Principal, id: string, receiptNo: string | null): Promise<void> {
    assertWholePayments();
    const { quarter } = await this.rows.detail(id);
    await this.lockQuarter(tenantId, quarter);
    const report = await this.rows.detail(id);
    if (report.state !== reportStates.draft) throw new ApiError(reportProblems.notDraft);
    const [now] = await queryRows<{ isOver: boolean; gross: number; withheld: number; ledger: number; isChanged: boolean }>(
      this.db,
      sql`select ${endOf(quarter)} <= now() as "isOver", coalesce(sum(gross), 0)::float8 as gross, coalesce(sum(withheld), 0)::float8 as withheld, (${ledgerSum(quarter)})::float8 as ledger,
            exists (select from platform_report_row r join payee p on p.tenant_id = r.tenant_id and p.user_id = r.user_id where r.report_id = ${id}
              and r.change <> ${rowChanges.dropped} and (p.name, p.document_kind, p.document_no) is distinct from (r.name, r.document_kind, r.document_no)) as "isChanged"
          from payee_income where kind = ${periodKinds.quarter} and period = ${quarter}`,
    );
    if (!now?.isOver) throw new ApiError(reportProblems.notOver, { quarter });
    if (now.isChanged || now.gross !== report.gross || now.withheld !== report.withheld || now.ledger !== report.ledgerGross)
      throw new ApiError(reportProblems.stale);
    if (report.difference !== 0) throw new ApiError(reportProblems.mismatch, { difference: (report.difference / 100).toFixed(2) });
    if (report.downloads === 0) throw new ApiError(reportProblems.notDownloaded);
    await this.db.sql.execute(
      sql`update platform_report set state = ${reportStates.submitted}, submitted_time = date_trunc('second', now()), update_user = ${userId},
            update_time = date_trunc('second', now()), submitter_name = (select real_name from user_account where id = ${userId}) where id = ${id}`,
    );
    recordChange({ entity: PlatformReport.name, id, before: { state: report.state }, after: { state: reportStates.submitted } });
    if (receiptNo) await this.recordReceipt({ userId, tenantId }, id, receiptNo);
  }

  /** Records the number that the authority has returned for a submitted version, or corrects it. */
  async recordReceipt({ userId, tenantId }: Pick<Principal, 'userId' | 'tenantId'>, id: string, receiptNo: string): Promise<void> {
    assertWholePayments();
    await this.lockQuarter(tenantId, (await this.rows.detail(id)).quarter);
    const { state, receiptNo: before } = await this.rows.detail(id);
    if (state !== reportStates.submitted) throw new ApiError(reportProblems.notSubmitted);
    if (receiptNo === before) return;
    await this.db.sql.execute(
      sql`update platform_report set receipt_no = ${receiptNo}, receipt_time = date_trunc('second', now()), update_user = ${userId}, update_time = date_trunc('second', now()),
            receipt_recorder = (select real_name from user_account where id = ${userId}) where id = ${id}`,
    );
    recordChange({ entity: PlatformReport.name, id, before: { receiptNo: before }, after: { receiptNo } });
  }

  /**
   * Returns a part of the file; the first one is counted as a download, after the rows have been compared with the checksum. `continuation` is the `next` of the part before,
   * which only this user can use, and only for the same rows.
   */
  async file({ userId }: Principal, id: string, continuation: string | undefined): Promise<FilePart> {
    assertWholePayments();
    const { quarter, columns, checksum, downloads } = await this.rows.detail(id);
    const tokenOf = (last: string) => [id, userId, checksum, last].join(' ');
    const after = continuation === undefined ? undefined : this.lastOf(continuation);
    if (after !== undefined && tokenOf(after) !== this.opened(continuation)) throw new ApiError(problems.notFound);
    if (after === undefined) {
      const [found] = await queryRows<{ checksum: string }>(this.db, sql`select ${checksumOf(id)} as checksum`);
      if (found?.checksum !== checksum) throw new ApiError(reportProblems.corrupt);
      await this.db.sql.execute(sql`update platform_report set downloads = downloads + 1 where id = ${id}`);
      recordChange({ entity: PlatformReport.name, id, before: { downloads }, after: { downloads: downloads + 1 } });
    }
    const rows = await queryRows<SnapshotRow & { sealed: string | null }>(
      this.db,
      sql`select (select count(*) from platform_report_row b where b.report_id = r.report_id and b.change <> ${rowChanges.dropped} and b.user_id <= ${after ?? 0})::integer
              + row_number() over (order by r.user_id)::integer as no,
            r.user_id::text as "userId", r.name, r.document_kind as "documentKind", r.document_no as sealed, ${quarter} as quarter,
            to_char(${startOf(quarter)}, 'YYYY-MM-DD') as "from", to_char(${endOf(quarter)} - interval '1 day', 'YYYY-MM-DD') as "to",
            r.payouts, r.gross::float8 as gross, r.withheld::float8 as withheld
          from platform_report_row r where r.report_id = ${id} and r.change <> ${rowChanges.dropped} and r.user_id > ${after ?? 0} order by r.user_id limit ${partSize}`,
    );
    const opened = rows.map(({ sealed, ...row }) => ({ ...row, documentNo: sealed === null ? null : this.db.encryption.decrypt(sealed) }));
    const last = rows.at(-1)?.userId;
    const next = rows.length < partSize || last === undefined ? null : this.db.encryption.encrypt(tokenOf(last));
    return { text: csvLines(columnsOf(columns), opened, after === undefined), next };
  }

  private opened(continuation = ''): string {
    try {
      return this.db.encryption.decrypt(continuation);
    } catch {
      throw new ApiError(problems.notFound);
    }
  }

  private lastOf(continuation: string): string {
    return this.opened(continuation).split(' ').at(-1) ?? '0';
  }

  private async lockQuarter(tenantId: string, quarter: string): Promise<void> {
    await this.db.lock(`platform report ${quarter} of ${tenantId}`);
  }

  private async add(quarter: string, versionNo: number, userId: string): Promise<string> {
    const [added] = await queryRows<{ id: string }>(
      this.db,
      sql`insert into platform_report (quarter, version_no, create_user) values (${quarter}, ${versionNo}, ${userId}) returning id::text as id`,
    );
    const id = added?.id ?? '';
    recordChange({ entity: PlatformReport.name, id, before: undefined, after: { quarter, versionNo } });
    return id;
  }

  private async takeSnapshot(id: string, quarter: string): Promise<void> {
    const isIncomplete = sql`p.name is null or p.document_kind is null or p.document_no is null`;
    await this.db.sql.execute(
      sql`with before as (
            select b.* from platform_report_row b where b.change <> ${rowChanges.dropped} and b.report_id = (
              select r.id from platform_report r where r.quarter = ${quarter} and r.state = ${reportStates.submitted} order by r.version_no desc limit 1)
          ), present as (
            select i.user_id, p.name, p.document_kind, p.document_no, p.document_mask, i.payouts, i.gross, i.withheld,
              case when ${isIncomplete} then ${rowProblems.incomplete}::integer when p.state <> ${payeeStates.verified} then ${rowProblems.unverified} else ${rowProblems.none} end as problem
            from payee_income i join payee p on p.tenant_id = i.tenant_id and p.user_id = i.user_id
            where i.kind = ${periodKinds.quarter} and i.period = ${quarter} and i.payouts > 0
          )
          insert into platform_report_row (report_id, user_id, name, problem, document_kind, document_no, document_mask, payouts, gross, withheld, change, gross_before, withheld_before)
          select ${id}::bigint, n.user_id, n.name, n.problem, n.document_kind, n.document_no, n.document_mask, n.payouts, n.gross, n.withheld,
            case when not exists (select from before) then ${rowChanges.none}::integer when b.user_id is null then ${rowChanges.added}
              when (n.name, n.document_kind, n.document_no, n.payouts, n.gross, n.withheld) is distinct from (b.name, b.document_kind, b.document_no, b.payouts, b.gross, b.withheld)
              then ${rowChanges.changed} else ${rowChanges.none} end,
            b.gross, b.withheld
          from present n left join before b on b.user_id = n.user_id
          union all
          select ${id}::bigint, b.user_id, b.name, ${rowProblems.none}, b.document_kind, b.document_no, b.document_mask, 0, 0, 0, ${rowChanges.dropped}, b.gross, b.withheld
          from before b where not exists (select from present n where n.user_id = b.user_id)`,
    );
  }

  private async addUp(id: string, quarter: string, userId: string): Promise<void> {
    const { validFrom } = this.formats.table;
    const [format] = await this.formats.list(
      sql`${validFrom} = (select max(f.valid_from) from report_format f where f.valid_from < ${endOf(quarter)} and f.is_deleted = 0)`,
    );
    await this.db.sql.execute(
      sql`update platform_report r set downloads = 0, payees = s.payees, exceptions = s.exceptions, changes = s.changes, payouts = s.payouts, gross = s.gross, withheld = s.withheld,
            ledger_gross = (${ledgerSum(quarter)}), checksum = ${checksumOf(id)}, columns = ${format?.columns ?? standardColumns}, update_user = ${userId},
            update_time = date_trunc('second', now())
          from (select count(*) filter (where change <> ${rowChanges.dropped}) as payees, count(*) filter (where problem <> ${rowProblems.none}) as exceptions,
              count(*) filter (where change <> ${rowChanges.none}) as changes, coalesce(sum(payouts), 0) as payouts, coalesce(sum(gross), 0) as gross,
              coalesce(sum(withheld), 0) as withheld from platform_report_row where report_id = ${id}) s
          where r.id = ${id}`,
    );
  }
}

/** Sum that the ledger has as paid or withheld for the payouts of a quarter that were not reversed. */
const ledgerSum = (quarter: string): SQL => sql`select coalesce(sum(l.amount), 0) from payout p
  join ledger_posting l on l.pay_no = p.pay_no and l.kind = ${entryKinds.paid} and l.account in (${ledgerAccounts.paid}, ${ledgerAccounts.withheldTax})
  where p.is_deleted = 0 and p.state = ${payoutStates.paid} and p.paid_time >= ${startOf(quarter)}::timestamptz and p.paid_time < ${endOf(quarter)}::timestamptz`;

/** Checksum of the rows of a report, in the order of the users. */
const checksumOf = (id: string): SQL =>
  sql`(select encode(sha256(coalesce(string_agg(sha256(convert_to(concat_ws('|', c.user_id, coalesce(c.name, ''), coalesce(c.document_kind, 0), coalesce(c.document_no, ''), c.payouts,
        c.gross, c.withheld, c.change), 'UTF8')), ''::bytea order by c.user_id), ''::bytea)), 'hex') from platform_report_row c where c.report_id = ${id})`;
