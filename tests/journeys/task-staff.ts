import sharp from 'sharp';
import type { TokenReply } from '../../src/shared/identity/auth.ts';
import { Client, type Envelope, type Product } from './product.ts';

const claims = '/api/things-task/claim';
const workerPassword = 'Worker-Of-The-Month-1';

/** A product with the base data of tasks, and a member who claims tasks in the mini-app. */
export interface TaskFloor {
  readonly admin: Client;
  readonly worker: Client;
  /** Ids that the form of a task requires. */
  readonly parts: Readonly<Record<'advertiserId' | 'platformId' | 'categoryId' | 'gradeId', string>>;
  /** Publishes a task and returns its id. */
  publish(fields?: object): Promise<string>;
  /** Claims a task and submits proof; returns the id of the submission. */
  handIn(taskId: string, proof?: { link?: string; pictures?: number; content?: string }): Promise<string>;
}

/** Creates a member who can claim tasks. */
export type Hire = (product: Product, admin: Client, account: string) => Promise<Client>;

export async function openTaskFloor(product: Product, hire: Hire = hireByPassword): Promise<TaskFloor> {
  const admin = await product.signIn();
  const base = async (call: string, form: object) => (await sent(admin.post(`/api/oms-system/base/${call}`, form))).data.id as string;
  const mark = Date.now().toString(36);
  const parts = {
    advertiserId: await base('addadvertiser', { name: `面包店 ${mark}`, contact_name: '王小麦', contact_phone: '13800000001', credit_limit: 100_000_000 }),
    platformId: await base('addplatform', { name: `短视频 ${mark}`, code: mark }),
    categoryId: await base('addcategory', { name: `探店 ${mark}`, parentId: '0' }),
    gradeId: await base('addtaskgrade', { name: `普通 ${mark}`, level: 1 + (Date.now() % 99) }),
  };
  const worker = await hire(product, admin, `worker-${mark}`);
  let made = 0;
  return {
    admin,
    worker,
    parts,
    async publish(fields = {}) {
      const form = {
        title: '拍一条面包视频',
        requirement: '视频里出现招牌\n时长不少于 15 秒',
        unitPrice: 500,
        quantity: 1000,
        perUserLimit: 0,
        ...parts,
        ...fields,
      };
      const { data } = await sent(admin.post('/api/things-task/task/submit', form));
      await sent(admin.post('/api/things-task/task/publish', { ids: [data.id] }));
      return data.id;
    },
    async handIn(taskId, { link, pictures = 1, content } = {}) {
      const { data } = await sent(worker.post(`${claims}/claim`, { taskId }));
      const images: string[] = [];
      for (let count = 0; count < pictures; count += 1) images.push(await upload(product, worker, made++));
      await sent(
        worker.post(`${claims}/submit`, { id: data.id, link: link ?? `https://video.example/${data.id}`, images, content, platformAccount: '面包小王' }),
      );
      return data.id;
    },
  };
}

export async function sent(reply: Promise<Envelope>): Promise<Envelope> {
  const envelope = await reply;
  if (envelope.code !== 200) throw new Error(`${envelope.code} ${envelope.msg}`);
  return envelope;
}

/** Creates an account, changes its first password, and signs in with the client of the mini-app. */
async function hireByPassword(product: Product, admin: Client, account: string): Promise<Client> {
  const { data: page } = await sent(admin.get('/api/blade-system/client/list', { clientId_equal: 'miniapp' }));
  const [client] = page.records;
  await sent(admin.post('/api/blade-system/client/submit', { ...client, authorizedGrantTypes: ['password'], isPublic: false }));
  const { data: secret } = await sent(admin.post('/api/blade-system/client/reset-secret', { id: client.id }));
  await sent(admin.post('/api/oms-system/user/submit', { account, password: 'First-Day-2026', name: '小王', realName: '王小明', phone: '13800000002' }));
  const enter = async (password: string) => {
    const grant = { grant_type: 'password', username: account, password, client_secret: secret.clientSecret };
    return new Client(product.address, (await grantedTo(product, grant)).access_token);
  };
  const first = await enter('First-Day-2026');
  await sent(first.post('/api/oms-system/user/update-password', { oldPassword: 'First-Day-2026', newPassword: workerPassword, newPassword1: workerPassword }));
  return enter(workerPassword);
}

/** Opens the tenant's mini-program for the first time, requests an account, and approves it. */
export async function hireByMiniProgram(product: Product, admin: Client, account: string): Promise<Client> {
  await sent(admin.post('/api/blade-system/social-app/submit', { source: 'wechat_mini_program', clientId: 'wx-bakery', clientSecret: 'mini', isEnabled: 1 }));
  const enter = (code: string) => grantedTo(product, { grant_type: 'social', source: 'wechat_mini_program', code });
  const { access_token, oauth_id: oauthId } = await enter(account);
  const wish = { tenantId: '000000', oauthId, name: '小王', account, password: workerPassword, password2: workerPassword };
  await sent(new Client(product.address, access_token).post('/api/blade-system/user/register-guest', wish));
  const { data: asked } = await sent(admin.get('/api/blade-system/registration/list', { account }));
  await sent(admin.post('/api/blade-system/registration/approve', { id: asked.records[0].id }));
  return new Client(product.address, (await enter(account)).access_token);
}

/** Returns the token reply for the client of the mini-app. */
async function grantedTo(product: Product, parameters: Record<string, string>): Promise<TokenReply> {
  const body = new URLSearchParams({ client_id: 'miniapp', tenantId: '000000', ...parameters });
  const reply = await fetch(`${product.address}/api/things-auth/oauth/token`, { method: 'POST', body });
  const granted = (await reply.json()) as TokenReply & { error_description?: string };
  if (!granted.access_token) throw new Error(granted.error_description);
  return granted;
}

async function upload(product: Product, worker: Client, number: number): Promise<string> {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="540" height="720"><rect width="540" height="720" fill="hsl(${(number * 47) % 360} 60% 70%)"/><text x="60" y="380" font-size="120">${number + 1}</text></svg>`;
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await sharp(Buffer.from(text)).png().toBuffer())]), `${number + 1}.png`);
  const reply = await fetch(`${product.address}/api/file/uploadFile`, { method: 'POST', headers: worker.headers, body: form });
  const { data } = (await reply.json()) as Envelope;
  return data.link;
}
