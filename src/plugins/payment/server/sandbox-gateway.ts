import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';
import { type BillLine, type Order, PaymentGateway, type Told } from './gateway.ts';

/** Pays in name only, for deployments without a provider: it accepts every bill and says that it is paid when it is asked again. */
export class SandboxGateway extends PaymentGateway {
  readonly name = 'sandbox';

  constructor(
    private readonly db: ServerContext['db'],
    private readonly tenantId: string,
  ) {
    super();
  }

  async transfer({ payNo, amount }: Order): Promise<Told> {
    await this.db.write({ tenantId: this.tenantId }, async () => {
      await this.db.sql.execute(sql`insert into sandbox_bill (pay_no, amount) values (${payNo}, ${amount}) on conflict do nothing`);
    });
    return { payNo, outcome: 'underWay', state: 'ACCEPTED', providerNo: `S${payNo}` };
  }

  async query(payNo: string): Promise<Told | undefined> {
    const [bill] = await this.db.read({ tenantId: this.tenantId }, () =>
      rowsOf<{ amount: number }>(this.db, sql`select amount::float8 as amount from sandbox_bill where pay_no = ${payNo}`),
    );
    return bill && { payNo, outcome: 'paid', state: 'SUCCESS', providerNo: `S${payNo}`, amount: bill.amount };
  }

  bill(day: string): Promise<BillLine[]> {
    return this.db.read({ tenantId: this.tenantId }, () =>
      rowsOf<BillLine>(
        this.db,
        sql`select pay_no as "payNo", 'S' || pay_no as "providerNo", amount::float8 as amount from sandbox_bill
            where time >= ${day}::date and time < ${day}::date + 1 order by pay_no`,
      ),
    );
  }
}
