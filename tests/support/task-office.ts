import { expect } from '@rstest/core';
import { secretHash } from '#server';
import { openTestServer, password, type Reply, type TestServer, type TestServerOptions } from './test-server.ts';

export const taskPath = '/api/things-task/task';
export const claimPath = '/api/things-task/claim';
export const taskPlugins = ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task'] as const;

/** Credit for any task of a test, in 分. */
const ample = 100_000_000_000;

type Headers = Record<string, string>;

/** Server with the base data of tasks and the users who work with them. */
export interface TaskOffice {
  readonly server: TestServer;
  readonly admin: Headers;
  /** Ids that the form of a task requires. */
  readonly parts: { advertiserId: string; platformId: string; categoryId: string; gradeId: string };
  post(path: string, body: object, headers?: Headers): Promise<Reply>;
  get(path: string, query?: Record<string, string>, headers?: Headers): Promise<Reply>;
  /** Adds a task and returns its row. */
  add(fields?: object): Promise<{ id: string; status: number } & Record<string, unknown>>;
  /** Adds a published task and returns its id. Its advertiser has credit for it during the publication only, so that tests decide what money there is. */
  published(fields?: object): Promise<string>;
  /** Creates a member who has signed in to the mini-app. */
  claimer(account: string): Promise<{ userId: string; headers: Headers }>;
  /** Creates an auditor. */
  auditor(account: string): Promise<{ userId: string; headers: Headers }>;
  /** Claims a task and submits proof; returns the id of the submission. */
  proof(taskId: string, by: Headers, fields?: object): Promise<string>;
  status(taskId: string): Promise<Record<string, unknown>>;
}

export async function openTaskOffice({ plugins = [], timeScale = 8, ...options }: TestServerOptions = {}): Promise<TaskOffice> {
  const server = await openTestServer({ ...options, timeScale, plugins: [...taskPlugins, ...plugins] });
  const admin = await server.signIn();
  await server.sql(`update client set secret_hash = '${secretHash('mini')}', authorized_grant_types = '["password"]' where client_id = 'miniapp'`);
  const post: TaskOffice['post'] = (path, body, headers = admin) => server.post(path, body, { headers });
  const get: TaskOffice['get'] = (path, query = {}, headers = admin) => server.get(path, { headers, query });
  const base = async (call: string, form: object) => {
    const reply = await post(`/api/oms-system/base/${call}`, form);
    expect(reply.code, reply.msg).toBe(200);
    return reply.data.id as string;
  };
  const parts = {
    advertiserId: await base('addadvertiser', { name: '面包店', contact_name: '王小麦', contact_phone: '13800000001' }),
    platformId: await base('addplatform', { name: '抖音', code: 'douyin', link_pattern: '*.douyin.com/video/*' }),
    categoryId: await base('addcategory', { name: '短视频', parentId: '0' }),
    gradeId: await base('addtaskgrade', { name: '普通', level: 1, min_price: 100, max_price: 5000 }),
  };
  const office: TaskOffice = {
    server,
    admin,
    parts,
    post,
    get,
    async add(fields = {}) {
      const reply = await post(`${taskPath}/submit`, { title: '拍一条面包视频', requirement: '出现招牌', unitPrice: 500, quantity: 3, ...parts, ...fields });
      expect(reply.code, reply.msg).toBe(200);
      return reply.data;
    },
    async published(fields = {}) {
      const { id } = await office.add(fields);
      const lend = (amount: number) =>
        server.sql(`update advertiser set credit_limit = credit_limit + ${amount} where id = (select advertiser_id from task where id = ${id})`);
      await lend(ample);
      const reply = await post(`${taskPath}/publish`, { ids: [id] });
      await lend(-ample);
      expect(reply.code, reply.msg).toBe(200);
      return id;
    },
    async claimer(account) {
      const { userId } = await server.createUser({ account });
      const { body } = await server.post(
        '/api/things-auth/oauth/token',
        { grant_type: 'password', tenantId: '000000', username: account, password },
        { headers: { authorization: `Basic ${btoa('miniapp:mini')}` } },
      );
      return { userId, headers: { 'things-auth': `bearer ${body.access_token}` } };
    },
    async auditor(account) {
      const { userId } = await server.createUser({ account, codes: ['task_audit', 'task_record'] });
      return { userId, headers: await server.signIn(account) };
    },
    async proof(taskId, by, fields = {}) {
      const claimed = await post(`${claimPath}/claim`, { taskId }, by);
      expect(claimed.code, claimed.msg).toBe(200);
      const link = `https://www.douyin.com/video/${claimed.data.id}`;
      const handed = await post(`${claimPath}/submit`, { id: claimed.data.id, link, ...fields }, by);
      expect(handed.code, handed.msg).toBe(200);
      return claimed.data.id;
    },
    async status(taskId) {
      const [row] = await server.sql(`select status, claimed, submitted, passed from task where id = ${taskId}`);
      return row ?? {};
    },
  };
  return office;
}
