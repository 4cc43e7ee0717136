import { sql } from 'drizzle-orm';
import { ApiError, queryRows, type ServerContext, withFullAccess } from '#server';
import { paymentProblems } from '../contract.ts';
import { type PaymentGateway, type PaymentProvider, PaymentProviders } from '../server-extension.ts';
import { ManualGateway, manualGateway } from './manual-gateway.ts';
import { type RoutedTransfer, selectRoute } from './routing.ts';
import { SandboxGateway } from './sandbox-gateway.ts';

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
