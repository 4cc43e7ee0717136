import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import { accountKinds } from '../contract.ts';
import { PaymentGateway, type StatementLine, type TransferRequest, type TransferResult } from '../server-extension.ts';

/** Sandbox for deployments without a provider: it accepts every payout, moves no money, and reports it as paid when queried. */
export class SandboxGateway extends PaymentGateway {
  readonly name = 'sandbox';
  readonly terms = { accountKinds: Object.values(accountKinds), payeeConfirms: false, isOffline: false };

  constructor(
    private readonly db: ServerContext['db'],
    private readonly tenantId: string,
  ) {
    super();
  }

  async transfer({ payNo, amount }: TransferRequest): Promise<TransferResult> {
    await this.db.write({ tenantId: this.tenantId }, async () => {
      await this.db.sql.execute(sql`insert into sandbox_bill (pay_no, amount) values (${payNo}, ${amount}) on conflict do nothing`);
    });
    return { payNo, outcome: 'processing', state: 'ACCEPTED', providerNo: `S${payNo}` };
  }

  async query(payNo: string): Promise<TransferResult | undefined> {
    const [bill] = await this.db.read({ tenantId: this.tenantId }, () =>
      queryRows<{ amount: number }>(this.db, sql`select amount::float8 as amount from sandbox_bill where pay_no = ${payNo}`),
    );
    return bill && { payNo, outcome: 'paid', state: 'SUCCESS', providerNo: `S${payNo}`, amount: bill.amount };
  }

  statement(day: string): Promise<StatementLine[]> {
    return this.db.read({ tenantId: this.tenantId }, () =>
      queryRows<StatementLine>(
        this.db,
        sql`select pay_no as "payNo", 'S' || pay_no as "providerNo", amount::float8 as amount from sandbox_bill
            where time >= ${day}::date and time < ${day}::date + 1 order by pay_no`,
      ),
    );
  }
}
