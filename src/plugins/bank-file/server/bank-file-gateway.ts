import { sql } from 'drizzle-orm';
import { accountKinds, accountMask } from '#plugins/payment/contract';
import { type GatewayTerms, PaymentGateway, type StatementLine, type TransferRequest, type TransferResult } from '#plugins/payment/server-extension';
import { queryRows, type ServerContext } from '#server';
import { type BankAccountRow, lineOutcomes } from '../contract.ts';

export const providerId = 'bank-file';
/** Returns the name of the gateway of a bank account. */
export const gatewayName = (bankAccountId: string) => `${providerId}:${bankAccountId}`;

interface SettlementLine {
  readonly payNo: string;
  readonly outcome: number;
  readonly amount: number;
  readonly serialNo: string | null;
  readonly reason: string | null;
}

/** Converts the recorded outcome of a line to the result of its transfer. */
export function resultOf({ payNo, outcome, amount, serialNo, reason }: SettlementLine): TransferResult {
  const providerNo = serialNo ?? undefined;
  if (outcome === lineOutcomes.paid) return { payNo, outcome: 'paid', state: 'PAID', amount, providerNo };
  if (outcome === lineOutcomes.failed) return { payNo, outcome: 'failed', state: 'FAILED', providerNo, reason: reason ?? undefined };
  return { payNo, outcome: 'processing', state: 'IN_FILE' };
}

/** Gateway to the people who pay by bank files: a transfer becomes a line of the file of its run, and ends with the result that they record. */
export class BankFileGateway extends PaymentGateway {
  readonly name: string;
  readonly terms: GatewayTerms;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly tenantId: string,
    private readonly account: BankAccountRow,
  ) {
    super();
    const { id, minAmount, maxAmount, feeRate, feeFixed, priority } = account;
    this.name = gatewayName(id);
    const limits = {
      minAmount: minAmount ?? null,
      maxAmount: maxAmount ?? null,
      feeRate: feeRate ?? null,
      feeFixed: feeFixed ?? null,
      priority: priority ?? null,
    };
    this.terms = { ...limits, accountKinds: [accountKinds.bank], nameRequiredFrom: 0, payeeConfirms: false, isOffline: true };
  }

  async transfer({ payNo, runNo, amount, remark, account: { account, name, bank } }: TransferRequest): Promise<TransferResult> {
    await this.db.write({ tenantId: this.tenantId }, () =>
      // A file that is being downloaded is locked, and no longer collecting afterwards.
      this.db.sql.execute(
        sql`with file as (
              insert into bank_file (bank_account_id, run_no) select ${this.account.id}::bigint, ${runNo}
              where not exists (select from bank_file_line where pay_no = ${payNo})
              on conflict (tenant_id, bank_account_id, run_no) where downloaded_time is null do update set run_no = excluded.run_no returning id)
            insert into bank_file_line (file_id, pay_no, name, account, account_mask, bank, amount, note_to_payee)
            select id, ${payNo}, ${name.slice(0, 64)}, ${this.db.encryption.encrypt(account)}, ${accountMask(account)}, ${bank ?? null}, ${amount}::bigint, ${remark} from file
            on conflict (tenant_id, pay_no) do nothing`,
      ),
    );
    return (await this.query(payNo)) ?? { payNo, outcome: 'processing', state: 'IN_FILE' };
  }

  async query(payNo: string): Promise<TransferResult | undefined> {
    const [line] = await this.db.read({ tenantId: this.tenantId }, () =>
      queryRows<SettlementLine>(
        this.db,
        sql`select pay_no as "payNo", outcome, amount::float8 as amount, serial_no as "serialNo", reason from bank_file_line where pay_no = ${payNo}`,
      ),
    );
    return line && resultOf(line);
  }

  /** Returns the payments whose success was recorded on the day: a bank file has no other statement. */
  statement(day: string): Promise<StatementLine[]> {
    return this.db.read({ tenantId: this.tenantId }, () =>
      queryRows<StatementLine>(
        this.db,
        sql`select l.pay_no as "payNo", l.serial_no as "providerNo", l.amount::float8 as amount from bank_file_line l join bank_file f on f.id = l.file_id
            where f.bank_account_id = ${this.account.id} and l.outcome = ${lineOutcomes.paid} and l.settled_time >= ${day}::date and l.settled_time < ${day}::date + 1
            order by l.pay_no`,
      ),
    );
  }
}
