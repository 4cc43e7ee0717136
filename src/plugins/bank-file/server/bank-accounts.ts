import { sql } from 'drizzle-orm';
import { paymentProblems, providerStatus } from '#plugins/payment/contract';
import type { PaymentProvider, ProviderPayouts } from '#plugins/payment/server-extension';
import { ApiError, type Repository, repositoryOf, type ServerContext } from '#server';
import { BankAccount, type BankAccountRow } from '../contract.ts';
import { BankFileGateway, gatewayName, providerId } from './bank-file-gateway.ts';

/** Bank accounts of tenants, each a gateway that pays by files. */
export class BankAccounts implements PaymentProvider {
  readonly id = providerId;
  readonly rows: Repository<typeof BankAccount>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly payouts: ProviderPayouts,
  ) {
    this.rows = repositoryOf(db, BankAccount, {
      beforeRemove: async (rows) => {
        for (const { id, status } of rows) {
          if (status === providerStatus.enabled) throw new ApiError(paymentProblems.channelEnabled);
          const count = await payouts.countOpen(gatewayName(id));
          if (count > 0) throw new ApiError(paymentProblems.hasOpenPayouts, { count });
        }
      },
    });
  }

  async setStatus(id: string, status: (typeof providerStatus)[keyof typeof providerStatus]): Promise<void> {
    await this.db.lock('enabled payment providers');
    await this.rows.detail(id);
    await this.rows.setSingleStatus(id, status, providerStatus);
    if (status === providerStatus.enabled) await this.payouts.sendWaiting();
  }

  async enabled(): Promise<BankFileGateway[]> {
    return (await this.rows.list(sql`${this.rows.table.status} = ${providerStatus.enabled}`)).map((row) => this.gatewayOf(row));
  }

  async find(id: string): Promise<BankFileGateway | undefined> {
    const row = await this.rows.find({ id });
    return row && this.gatewayOf(row);
  }

  /** Returns all accounts, because disabled ones can have results of the day too. */
  async ofDay(): Promise<BankFileGateway[]> {
    return (await this.rows.list()).map((row) => this.gatewayOf(row));
  }

  private gatewayOf(row: BankAccountRow): BankFileGateway {
    return new BankFileGateway(this.db, this.db.tenantId as string, row);
  }
}
