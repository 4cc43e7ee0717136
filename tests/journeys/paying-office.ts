import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { WechatPayServer } from '../support/wechat-pay-server.ts';
import { type Envelope, Product } from './product.ts';
import { openTaskFloor } from './task-staff.ts';

/** A product in its own process that pays through a fake WeChat Pay, which survives when the product is killed. */
export class PayingOffice {
  readonly wechat = new WechatPayServer();
  product!: Product;
  private address = '';

  async open(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.wechat.paysAtOnce = true;
    this.address = await this.wechat.listen();
    this.product = this.beside(environment);
    await this.product.start();
  }

  /** Starts another process that uses this WeChat Pay. */
  beside(environment: Readonly<Record<string, string>> = {}): Product {
    const command = ['--import', './tests/support/wechat-pay-elsewhere.mjs', 'scripts/serve.mjs', 'dist/server/main.js'];
    return new Product({ WECHAT_PAY_ELSEWHERE: this.address, ...environment }, command);
  }

  /** Creates approved submissions of a member with a wallet, the merchant that pays for them and the money; returns the ids of the submissions. */
  async prepare(count: number): Promise<string[]> {
    const floor = await openTaskFloor(this.product);
    const { admin } = floor;
    await given(admin.post('/api/things-task/ledger/submit', { advertiserId: floor.parts.advertiserId, amount: 10_000_000 }));
    const { data: channel } = await given(admin.post('/api/things-task/pay-channel/submit', this.merchant()));
    await given(admin.post('/api/things-task/pay-channel/enable', { id: channel.id }));
    const taskId = await floor.publish({ unitPrice: 100 });
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push(await floor.handIn(taskId, { pictures: 0, link: `https://video.example/${made}` }));
    for (let from = 0; from < count; from += 100) await given(admin.post('/api/things-task/task/doAudit', { ids: ids.slice(from, from + 100), status: 1 }));
    return ids;
  }

  async close(): Promise<void> {
    await this.product.discard();
    await this.wechat.close();
  }

  private merchant() {
    const { mchId, merchant, apiV3Key, publicKeyId, publicKey } = this.wechat;
    return {
      name: '主商户',
      mchId,
      appId: 'wx8888888888888888',
      serialNo: '5157F09EFDC096DE15EBE81A47057A72',
      privateKey: merchant.privateKey,
      apiV3Key,
      publicKeyId,
      publicKey,
      sceneId: '1005',
      jobTitle: '内容推广员',
      rewardNote: '任务酬劳',
    };
  }
}

/** SQL that moves the approval a minute into the past and links a wallet. */
export const ripe = "update task_submission set audit_time = now() - interval '2 minutes', openid = 'wallet' where audit_status = 1";
/** SQL that makes every pending payment due for a query. */
export const hurry = 'update payout set next_try = now() where state = 1';

/** Runs SQL in the embedded database of a stopped product, for steps that would take a minute or a phone. */
export async function inDatabase({ directory }: Product, script: string): Promise<void> {
  const database = await PGlite.create(join(directory, 'database/postgres'));
  await database.exec(`select set_config('app.tenant', '000000', false); ${script}`);
  await database.close();
}

/** Returns the data of a reply that must be a success. */
export async function given(reply: Promise<Envelope>): Promise<Envelope> {
  const envelope = await reply;
  if (envelope.code !== 200) throw new Error(`${envelope.code} ${envelope.msg}`);
  return envelope;
}
