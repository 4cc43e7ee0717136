import { createPrivateKey } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Refusal, type Repository, repositoryOf, rowsOf, type ServerContext } from '#server';
import type { FormOf } from '#shared/contract';
import { channelStatus, PayChannel, type PayChannelRow, paymentProblems } from '../contract.ts';
import type { ChooseGateway } from './dispatcher.ts';
import type { ProvidersOf } from './reconciliations.ts';
import { SandboxGateway } from './sandbox-gateway.ts';
import { gatewayName, WechatGateway } from './wechat-gateway.ts';
import { pemOf, readPublicKey } from './wechat-signing.ts';

/** The merchants tenants pay by. */
export class Channels {
  readonly rows: Repository<typeof PayChannel>;

  constructor(
    private readonly db: ServerContext['db'],
    /** Where WeChat Pay is. */
    private readonly address: string,
  ) {
    this.rows = repositoryOf(db, PayChannel, {
      beforeSave: async (form, before) => {
        refuseWrongKeys(form);
        if (before && form.mchId !== undefined && form.mchId !== before.mchId) await this.refuseOpenBills(before);
      },
      beforeRemove: async (rows) => {
        for (const row of rows) {
          if (row.status === channelStatus.enabled) throw new Refusal(paymentProblems.isEnabled);
          await this.refuseOpenBills(row);
        }
      },
    });
  }

  /** Off before on: never are two enabled. */
  async switch(id: string, status: number): Promise<void> {
    await this.db.lock('enabled payment providers');
    await this.rows.detail(id);
    const { off, enabled } = channelStatus;
    if (status === enabled) await this.db.sql.execute(sql`update pay_channel set status = ${off} where status = ${enabled} and id <> ${id} and is_deleted = 0`);
    await this.db.sql.execute(sql`update pay_channel set status = ${status} where id = ${id}`);
  }

  /** The one a bill was sent by, else the one that is enabled, else the sandbox. */
  readonly choose: ChooseGateway = (tenantId, sentBy) =>
    this.db.read({ tenantId }, async () => {
      const [, id] = /^wechat:(\d+)$/.exec(sentBy) ?? [];
      const row = sentBy === 'sandbox' ? undefined : await this.rows.find(id ? { id } : { status: channelStatus.enabled });
      if (id && !row) throw new Error(`the provider of this bill is gone: ${id}`);
      return row ? this.opened(row) : new SandboxGateway(this.db, tenantId);
    });

  /** Whoever may have paid on a day: each merchant that is enabled or was sent bills in the month before it, once, and the sandbox. */
  readonly thatPaid: ProvidersOf = (tenantId, day) =>
    this.db.read({ tenantId }, async () => {
      const { id, status } = this.rows.table;
      const sent = sql`select from payout p where p.gateway = 'wechat:' || ${id} and p.create_time >= ${day}::date - 31`;
      const merchants = new Map((await this.rows.list(sql`${status} = ${channelStatus.enabled} or exists (${sent})`)).map((row) => [row.mchId, row]));
      return [new SandboxGateway(this.db, tenantId), ...(await Promise.all([...merchants.values()].map((row) => this.opened(row))))];
    });

  /** Merchants whose provider signs with this key, of whatever tenant. */
  async signedWith(keyId: string): Promise<{ tenantId: string; gateway: WechatGateway }[]> {
    const found = await this.db.asPlatform('a notice of a provider tells whose it is by its key', () =>
      rowsOf<{ id: string; tenantId: string }>(
        this.db,
        sql`select id::text as id, tenant_id as "tenantId" from pay_channel where public_key_id = ${keyId} and is_deleted = 0 limit 50`,
      ),
    );
    return Promise.all(
      found.map(async ({ id, tenantId }) => ({
        tenantId,
        gateway: await this.db.read({ tenantId }, async () => this.opened(await this.rows.detail(id))),
      })),
    );
  }

  private async opened(row: PayChannelRow): Promise<WechatGateway> {
    const privateKey = pemOf((await this.rows.reveal(row.id, 'privateKey')) ?? '');
    return new WechatGateway(
      { ...row, publicKey: pemOf(row.publicKey), privateKey, apiV3Key: (await this.rows.reveal(row.id, 'apiV3Key')) ?? '' },
      this.address,
    );
  }

  private async refuseOpenBills({ id }: PayChannelRow): Promise<void> {
    const [open] = await rowsOf<{ count: number }>(
      this.db,
      sql`select count(*)::integer as count from payout where gateway = ${gatewayName(id)} and state in (0, 1)`,
    );
    if (open && open.count > 0) throw new Refusal(paymentProblems.hasOpenBills, open);
  }
}

function refuseWrongKeys({ privateKey, apiV3Key, publicKey }: Partial<FormOf<typeof PayChannel>>): void {
  if (privateKey && !reads(() => createPrivateKey(pemOf(privateKey)).asymmetricKeyType))
    throw new Refusal(paymentProblems.wrongPrivateKey, {}, { field: 'privateKey' });
  if (publicKey && !reads(() => readPublicKey(pemOf(publicKey)).asymmetricKeyType))
    throw new Refusal(paymentProblems.wrongPublicKey, {}, { field: 'publicKey' });
  if (apiV3Key && Buffer.byteLength(apiV3Key) !== 32) throw new Refusal(paymentProblems.wrongApiKey, {}, { field: 'apiV3Key' });
}

function reads(type: () => string | undefined): boolean {
  try {
    return type() === 'rsa';
  } catch {
    return false;
  }
}
