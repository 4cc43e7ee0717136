import { sql } from 'drizzle-orm';
import { ApiError, queryRows, type ServerContext, withFullAccess } from '#server';
import { accountKinds, paymentProblems } from '../contract.ts';
import {
  type GatewayTerms,
  PaymentGateway,
  type PaymentProvider,
  PaymentProviders,
  type StatementLine,
  type TransferRequest,
  type TransferResult,
} from '../server-extension.ts';
import { ManualGateway, manualGateway } from './manual-gateway.ts';

/** Sandbox for deployments without a provider: it accepts every payout, moves no money, and reports it as paid when queried. */
class SandboxGateway extends PaymentGateway {
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

/** Gateways of tenants, from the providers of the deployment. */
export class Gateways {
  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'applyFilters'>,
    /** Gateway for all tenants in tests. */
    private readonly override?: PaymentGateway,
  ) {}

  /** Returns the gateway a payout was sent through, otherwise the best enabled one; throws when there is none. */
  resolve(tenantId: string, sentBy: string, transfer?: RoutedTransfer): Promise<PaymentGateway> {
    return this.context.db.read({ tenantId }, async () => {
      if (this.override && sentBy !== manualGateway) return this.override;
      if (sentBy) return this.find(tenantId, sentBy);
      const gateways = await this.enabled(tenantId);
      const [first] = gateways;
      const found = transfer ? selectRoute(gateways, [transfer])?.gateway : first;
      if (!found) throw new ApiError(paymentProblems.noRoute);
      return found;
    });
  }

  /** Returns the enabled gateways of the current tenant, the sandbox for one that never had a provider. Throws when all are disabled. */
  async enabled(tenantId: string): Promise<readonly PaymentGateway[]> {
    if (this.override) return [this.override];
    const gateways = (await Promise.all((await this.providers()).map((provider) => withFullAccess(() => provider.enabled())))).flat();
    if (gateways.length > 0) return gateways;
    if (await this.hadProvider()) throw new ApiError(paymentProblems.noChannel);
    return [new SandboxGateway(this.context.db, tenantId)];
  }

  /** Returns the gateways that may have paid on a day. */
  ofDay(tenantId: string, day: string): Promise<readonly PaymentGateway[]> {
    return this.context.db.read({ tenantId }, async () => {
      if (this.override) return [this.override];
      const gateways = (await Promise.all((await this.providers()).map((provider) => withFullAccess(() => provider.ofDay(day))))).flat();
      return [new SandboxGateway(this.context.db, tenantId), ...gateways];
    });
  }

  /** Returns the merchant and the app with which a payee confirms a payout; nulls if the gateway has none. */
  async merchantIds(tenantId: string, sentBy: string): Promise<{ mchId: string | null; appId: string | null }> {
    const gateway = sentBy ? await this.resolve(tenantId, sentBy).catch(() => undefined) : undefined;
    return gateway?.merchantIds ?? { mchId: null, appId: null };
  }

  private async find(tenantId: string, name: string): Promise<PaymentGateway> {
    if (name === manualGateway) return new ManualGateway();
    if (name === 'sandbox') return new SandboxGateway(this.context.db, tenantId);
    const [providerId, id = ''] = name.split(':');
    const provider = (await this.providers()).find((one) => one.id === providerId);
    const gateway = await withFullAccess(() => provider?.find(id));
    if (!gateway) throw new Error(`the provider of this bill no longer exists: ${name}`);
    return gateway;
  }

  private providers(): Promise<readonly PaymentProvider[]> {
    return this.context.applyFilters(PaymentProviders, []);
  }

  /** Disabled, deleted and uninstalled providers count too: without the last one the sandbox would pay in name only. */
  private async hadProvider(): Promise<boolean> {
    return (await queryRows(this.context.db, sql`select 1 from payment_provided limit 1`)).length > 0;
  }
}

/** Transfer as far as it decides the gateway. */
interface RoutedTransfer extends Pick<TransferRequest, 'amount'> {
  readonly account: Pick<TransferRequest['account'], 'kind' | 'name'>;
  /** Gateways that have refused the payment before, which come last. */
  readonly refusedBy?: readonly string[];
}

const rateUnit = 10_000;
const lastPriority = 10_000;

/** Returns the fee of a transfer in 分; a fraction counts as a whole. */
export const feeOf = ({ feeRate, feeFixed }: GatewayTerms, amount: number): number => Math.ceil((amount * (feeRate ?? 0)) / rateUnit) + (feeFixed ?? 0);

/** Tests whether the gateway can transfer the amount to the account. */
export function reaches({ accountKinds, minAmount, maxAmount, nameRequiredFrom }: GatewayTerms, { account, amount }: RoutedTransfer): boolean {
  const hasName = account.name !== '' || nameRequiredFrom === undefined || amount < nameRequiredFrom;
  return accountKinds.includes(account.kind) && amount >= (minAmount ?? 0) && amount <= (maxAmount ?? Number.MAX_SAFE_INTEGER) && hasName;
}

/** A gateway with one of the accounts that it can transfer to. */
interface TransferRoute<Transfer extends RoutedTransfer> {
  readonly gateway: PaymentGateway;
  readonly transfer: Transfer;
}

/** Selects the cheapest gateway that can carry out one of the transfers, then the one with the lowest priority number, then the first. */
export function selectRoute<Transfer extends RoutedTransfer>(
  gateways: readonly PaymentGateway[],
  transfers: readonly Transfer[],
): TransferRoute<Transfer> | undefined {
  const routes = gateways.flatMap((gateway) => transfers.filter((transfer) => reaches(gateway.terms, transfer)).map((transfer) => ({ gateway, transfer })));
  const rank = ({ gateway: { name, terms }, transfer }: TransferRoute<Transfer>) =>
    [transfer.refusedBy?.includes(name) ? 1 : 0, feeOf(terms, transfer.amount), terms.priority ?? lastPriority] as const;
  const compare = (left: TransferRoute<Transfer>, right: TransferRoute<Transfer>) => {
    const [a, b] = [rank(left), rank(right)];
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  };
  return routes.sort(compare)[0];
}
